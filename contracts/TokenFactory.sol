// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {BondingCurve} from "./BondingCurve.sol";
import {Launchpad} from "./Launchpad.sol";
import {LaunchToken} from "./LaunchToken.sol";
import {IDexRouter} from "./interfaces/IDex.sol";
import {ILaunchpad} from "./interfaces/ILaunchpad.sol";
import {ITokenFactory} from "./interfaces/ITokenFactory.sol";

/// @title The token factory, which deploys its own launchpad
contract TokenFactory is ITokenFactory {
    struct TokenRecord {
        address creator;
        uint8 burnPercent;
    }

    uint8 private constant MIN_BURN_PERCENT = 30;
    uint8 private constant MAX_BURN_PERCENT = 70;
    uint256 private constant MAX_NAME_LENGTH = 64;
    uint256 private constant MAX_SYMBOL_LENGTH = 16;

    address public immutable launchpad;
    mapping(address token => TokenRecord) public tokens;

    /// @dev How many tokens an account has created without a salt. The address of its next one depends on it.
    mapping(address creator => uint256) private _unsalted;

    /// @param dexFactory the Uniswap V2 factory in which tokens get their pair
    /// @param dexRouter a router of that factory
    /// @param wbnb the wrapped BNB of that router
    constructor(address dexFactory, address dexRouter, address wbnb) {
        address routerFactory = IDexRouter(dexRouter).factory();
        if (routerFactory != dexFactory) revert RouterFactoryMismatch(dexFactory, routerFactory);
        address routerWbnb = IDexRouter(dexRouter).WETH();
        if (routerWbnb != wbnb) revert RouterWbnbMismatch(wbnb, routerWbnb);

        launchpad = address(new Launchpad(dexFactory, dexRouter, wbnb));
    }

    /// @inheritdoc ITokenFactory
    function createToken(string calldata name, string calldata symbol, uint8 burnPercent)
        external
        returns (address tokenAddress)
    {
        return _createNext(name, symbol, burnPercent);
    }

    /// @inheritdoc ITokenFactory
    function createTokenWithSalt(string calldata name, string calldata symbol, uint8 burnPercent, bytes32 salt)
        external
        returns (address tokenAddress)
    {
        return _createWithSalt(name, symbol, burnPercent, salt);
    }

    /// @inheritdoc ITokenFactory
    function createTokenAndBuy(
        string calldata name,
        string calldata symbol,
        uint8 burnPercent,
        bytes32 salt,
        uint256 minTokensOut
    ) external payable returns (address tokenAddress, uint256 tokensOut) {
        return _createAndBuy(name, symbol, burnPercent, salt, minTokensOut, msg.sender);
    }

    /// @inheritdoc ITokenFactory
    function createFor(
        string calldata name,
        string calldata symbol,
        uint8 burnPercent,
        bytes32 salt,
        uint256 minTokensOut,
        address recipient
    ) external payable returns (address tokenAddress, uint256 tokensOut) {
        return _createAndBuy(name, symbol, burnPercent, salt, minTokensOut, recipient);
    }

    /// @inheritdoc ITokenFactory
    function tokenCreationCode() external pure returns (bytes memory) {
        return type(LaunchToken).creationCode;
    }

    /// @inheritdoc ITokenFactory
    function predictTokenAddress(string calldata name, string calldata symbol, bytes32 salt)
        public
        view
        returns (address)
    {
        bytes memory initCode = abi.encodePacked(type(LaunchToken).creationCode, abi.encode(name, symbol));
        return Create2.computeAddress(salt, keccak256(initCode));
    }

    /// @inheritdoc ITokenFactory
    function predictNextTokenAddress(address creator, string calldata name, string calldata symbol)
        external
        view
        returns (address)
    {
        return predictTokenAddress(name, symbol, _nextSalt(creator));
    }

    function _createAndBuy(
        string calldata name,
        string calldata symbol,
        uint8 burnPercent,
        bytes32 salt,
        uint256 minTokensOut,
        address recipient
    ) private returns (address token, uint256 tokensOut) {
        token = salt == bytes32(0)
            ? _createNext(name, symbol, burnPercent)
            : _createWithSalt(name, symbol, burnPercent, salt);
        tokensOut = ILaunchpad(launchpad).buyFirst{value: msg.value}(token, msg.sender, recipient, minTokensOut);
    }

    function _createNext(string calldata name, string calldata symbol, uint8 burnPercent)
        private
        returns (address token)
    {
        _checkArguments(name, symbol, burnPercent);
        bytes32 salt = _nextSalt(msg.sender);
        _unsalted[msg.sender]++;
        token = address(new LaunchToken{salt: salt}(name, symbol));
        _launch(token, name, symbol, burnPercent, bytes32(0));
    }

    function _createWithSalt(string calldata name, string calldata symbol, uint8 burnPercent, bytes32 salt)
        private
        returns (address token)
    {
        _checkArguments(name, symbol, burnPercent);
        _checkSalt(salt);
        token = predictTokenAddress(name, symbol, salt);
        if (token.code.length > 0) revert SaltAlreadyUsed(salt, token);
        new LaunchToken{salt: salt}(name, symbol);
        _launch(token, name, symbol, burnPercent, salt);
    }

    function _launch(
        address token,
        string calldata name,
        string calldata symbol,
        uint8 burnPercent,
        bytes32 salt
    ) private {
        tokens[token] = TokenRecord(msg.sender, burnPercent);
        emit TokenCreated(token, msg.sender, name, symbol, burnPercent, BondingCurve.TOTAL_SUPPLY, salt);
        ILaunchpad(launchpad).openCurve(token, msg.sender, burnPercent);
    }

    /// @dev A hash, so that nobody can give it as a salt: its first 20 bytes would have to be the caller's address.
    function _nextSalt(address creator) private view returns (bytes32 salt) {
        return keccak256(abi.encode(creator, _unsalted[creator]));
    }

    function _checkSalt(bytes32 salt) private view {
        if (salt == bytes32(0)) revert ZeroSalt();
        address owner = address(bytes20(salt));
        if (owner != address(0) && owner != msg.sender) revert SaltOfAnotherAccount(owner, msg.sender);
    }

    function _checkArguments(string calldata name, string calldata symbol, uint8 burnPercent) private pure {
        if (burnPercent < MIN_BURN_PERCENT || burnPercent > MAX_BURN_PERCENT) {
            revert BurnPercentOutOfRange(burnPercent);
        }
        uint256 nameLength = bytes(name).length;
        if (nameLength == 0 || nameLength > MAX_NAME_LENGTH) revert NameLengthOutOfRange(nameLength);
        uint256 symbolLength = bytes(symbol).length;
        if (symbolLength == 0 || symbolLength > MAX_SYMBOL_LENGTH) revert SymbolLengthOutOfRange(symbolLength);
    }
}
