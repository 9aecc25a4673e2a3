// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {BondingCurve} from "./BondingCurve.sol";
import {CurveBook} from "./CurveBook.sol";
import {PairSeeding} from "./PairSeeding.sol";
import {IDexFactory} from "./interfaces/IDex.sol";
import {ILaunchToken} from "./interfaces/ILaunchToken.sol";
import {ILaunchpad} from "./interfaces/ILaunchpad.sol";
import {ITokenFactory} from "./interfaces/ITokenFactory.sol";

/// @title The launchpad
/// @dev Its accounting relies on the virtual reserves and never on its balances, so BNB or tokens forced upon it change
/// nothing. It has no receive function.
contract Launchpad is CurveBook, ReentrancyGuardTransient {
    using SafeCast for uint256;
    using SafeERC20 for IERC20;

    address public immutable factory;
    address public immutable dexFactory;
    address public immutable router;
    address public immutable wbnb;

    /// @dev The deployer is the factory, which has checked that the addresses belong together.
    constructor(address dexFactory_, address router_, address wbnb_) {
        factory = msg.sender;
        dexFactory = dexFactory_;
        router = router_;
        wbnb = wbnb_;
    }

    modifier onlyFactory() {
        if (msg.sender != factory) revert NotFactory(msg.sender);
        _;
    }

    /// @inheritdoc ILaunchpad
    function openCurve(address token, address creator, uint8 burnPercent) external onlyFactory {
        _openCurve(token, burnPercent);

        // Token addresses are predictable, so somebody may have created the pair already.
        address pair = IDexFactory(dexFactory).getPair(token, wbnb);
        if (pair == address(0)) pair = IDexFactory(dexFactory).createPair(token, wbnb);
        ILaunchToken(token).lockPair(pair);
        ILaunchToken(token).burn(BondingCurve.burned(burnPercent));

        emit CurveOpened(
            token,
            creator,
            burnPercent,
            BondingCurve.START_BNB,
            BondingCurve.startTokens(burnPercent),
            BondingCurve.totalToSell(burnPercent)
        );
    }

    /// @inheritdoc ILaunchpad
    function buy(address token, uint256 minTokensOut, uint256 deadline)
        external
        payable
        nonReentrant
        returns (uint256 tokensOut)
    {
        _checkDeadline(deadline);
        return _buyAtPrice(token, msg.sender, msg.sender, minTokensOut);
    }

    /// @inheritdoc ILaunchpad
    function buyFirst(address token, address payer, address recipient, uint256 minTokensOut)
        external
        payable
        onlyFactory
        nonReentrant
        returns (uint256 tokensOut)
    {
        return _buyAtPrice(token, payer, recipient, minTokensOut);
    }

    /// @inheritdoc ILaunchpad
    function buyFor(address token, address recipient, uint256 minTokensOut, uint256 deadline)
        external
        payable
        nonReentrant
        returns (uint256 tokensOut)
    {
        _checkDeadline(deadline);
        Curve memory curve = _tradable(token);
        uint256 cost;
        (cost, tokensOut) = _quoteBuy(curve);
        if (tokensOut < minTokensOut) revert InsufficientOutput(tokensOut, minTokensOut);
        _settleBuy(token, curve, msg.sender, recipient, cost, tokensOut);
    }

    /// @inheritdoc ILaunchpad
    function buyExactOut(address token, address recipient, uint256 tokensOut, uint256 deadline)
        external
        payable
        nonReentrant
        returns (uint256 bnbIn)
    {
        _checkDeadline(deadline);
        Curve memory curve = _tradable(token);
        if (tokensOut == 0) revert ZeroAmount();
        uint256 left = curve.virtualTokenReserves - BondingCurve.endTokens(curve.burnPercent);
        if (tokensOut > left) revert InsufficientOutput(left, tokensOut);

        // Only the buy of all that is left reaches END_BNB. Rounding may make a buy of a little less cost as much.
        bnbIn = BondingCurve.cost(curve.virtualBnbReserves, curve.virtualTokenReserves, tokensOut);
        uint256 costOfAll = BondingCurve.END_BNB - curve.virtualBnbReserves;
        if (tokensOut == left || bnbIn >= costOfAll) (bnbIn, tokensOut) = (costOfAll, left);
        if (msg.value < bnbIn) revert InsufficientInput(msg.value, bnbIn);
        _settleBuy(token, curve, msg.sender, recipient, bnbIn, tokensOut);
    }

    /// @inheritdoc ILaunchpad
    function sell(address token, uint256 tokenAmount, uint256 minBnbOut, uint256 deadline)
        external
        nonReentrant
        returns (uint256 bnbOut)
    {
        return _sell(token, msg.sender, tokenAmount, minBnbOut, deadline);
    }

    /// @inheritdoc ILaunchpad
    function sellTo(
        address token,
        address recipient,
        uint256 tokenAmount,
        uint256 minBnbOut,
        uint256 deadline
    ) external nonReentrant returns (uint256 bnbOut) {
        return _sell(token, recipient, tokenAmount, minBnbOut, deadline);
    }

    /// @inheritdoc ILaunchpad
    function sellWithPermit(
        address token,
        uint256 tokenAmount,
        uint256 minBnbOut,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external nonReentrant returns (uint256 bnbOut) {
        // Only tokens of the factory are called.
        _tradable(token);
        // Anybody may use the signature before this transaction does. The allowance is there then, so the sell goes on.
        try IERC20Permit(token).permit(msg.sender, address(this), tokenAmount, deadline, v, r, s) {} catch {}
        return _sell(token, msg.sender, tokenAmount, minBnbOut, deadline);
    }

    function _buyAtPrice(address token, address payer, address recipient, uint256 minTokensOut)
        private
        returns (uint256 tokensOut)
    {
        Curve memory curve = _tradable(token);
        uint256 cost;
        (cost, tokensOut) = _quoteBuy(curve);
        if (cost < msg.value) minTokensOut = Math.mulDiv(minTokensOut, cost, msg.value, Math.Rounding.Ceil);
        if (tokensOut < minTokensOut) revert InsufficientOutput(tokensOut, minTokensOut);
        _settleBuy(token, curve, payer, recipient, cost, tokensOut);
    }

    /// @dev What the BNB sent along buys, and how much of it that costs.
    function _quoteBuy(Curve memory curve) private view returns (uint256 cost, uint256 tokensOut) {
        if (msg.value == 0) revert ZeroAmount();

        // The buy that reaches END_BNB takes all that is left, so that rounding leaves nothing unsold. Any smaller one
        // leaves something: with less BNB than END_BNB and a product that never falls, more than endTokens remain.
        cost = BondingCurve.END_BNB - curve.virtualBnbReserves;
        if (msg.value >= cost) {
            tokensOut = curve.virtualTokenReserves - BondingCurve.endTokens(curve.burnPercent);
        } else {
            cost = msg.value;
            tokensOut = BondingCurve.quote(curve.virtualBnbReserves, curve.virtualTokenReserves, cost);
        }
    }

    function _settleBuy(
        address token,
        Curve memory curve,
        address payer,
        address recipient,
        uint256 cost,
        uint256 tokensOut
    ) private {
        _checkRecipient(recipient);
        curve.virtualBnbReserves += cost.toUint112();
        curve.virtualTokenReserves -= tokensOut.toUint112();
        curve.graduated = curve.virtualBnbReserves == BondingCurve.END_BNB;
        _recordTrade(token, recipient, curve, true, cost, tokensOut);

        IERC20(token).safeTransfer(recipient, tokensOut);
        if (curve.graduated) _graduate(token, curve.burnPercent);
        if (msg.value > cost) _sendBnb(payer, msg.value - cost);
    }

    function _sell(
        address token,
        address recipient,
        uint256 tokenAmount,
        uint256 minBnbOut,
        uint256 deadline
    ) private returns (uint256 bnbOut) {
        _checkDeadline(deadline);
        _checkRecipient(recipient);
        Curve memory curve = _tradable(token);
        if (tokenAmount == 0) revert ZeroAmount();

        // First, because it limits the amount to what was sold. The token is the factory's own and calls nobody.
        IERC20(token).safeTransferFrom(msg.sender, address(this), tokenAmount);

        bnbOut = BondingCurve.quote(curve.virtualTokenReserves, curve.virtualBnbReserves, tokenAmount);
        if (bnbOut == 0) revert ZeroOutput();
        if (bnbOut < minBnbOut) revert InsufficientOutput(bnbOut, minBnbOut);

        curve.virtualBnbReserves -= bnbOut.toUint112();
        curve.virtualTokenReserves += tokenAmount.toUint112();
        _recordTrade(token, msg.sender, curve, false, bnbOut, tokenAmount);

        _sendBnb(recipient, bnbOut);
    }

    function _graduate(address token, uint8 burnPercent) private {
        address pair = ILaunchToken(token).unlockPair();
        (address creator,) = ITokenFactory(factory).tokens(token);
        uint256 tokenLiquidity = BondingCurve.liquidity(burnPercent);
        PairSeeding.seed(pair, token, wbnb, creator, tokenLiquidity, BondingCurve.RAISED_BNB);
        emit Graduated(token, pair, BondingCurve.RAISED_BNB, tokenLiquidity);
    }

    function _checkDeadline(uint256 deadline) private view {
        if (block.timestamp > deadline) revert DeadlineExpired(deadline);
    }

    /// @dev What the launchpad or nobody gets is lost.
    function _checkRecipient(address recipient) private view {
        if (recipient == address(0) || recipient == address(this)) revert InvalidRecipient(recipient);
    }

    function _sendBnb(address receiver, uint256 amount) private {
        (bool accepted,) = receiver.call{value: amount}("");
        if (!accepted) revert BnbTransferFailed(receiver);
    }
}
