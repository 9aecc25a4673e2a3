// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ILaunchpad} from "../interfaces/ILaunchpad.sol";
import {ITokenFactory} from "../interfaces/ITokenFactory.sol";

/// @dev A trader that answers incoming BNB with a trade of its own, or refuses it.
contract ReentrantTrader {
    enum Reaction {
        Accept,
        Refuse,
        Buy,
        Sell,
        Create,
        BuyFor,
        BuyExactOut,
        SellTo,
        SellWithPermit
    }

    ILaunchpad private immutable _launchpad;
    address private immutable _token;
    Reaction public reaction;
    uint256 public answers;
    bytes public refusal;

    constructor(ILaunchpad launchpad, address token) payable {
        _launchpad = launchpad;
        _token = token;
        IERC20(token).approve(address(launchpad), type(uint256).max);
    }

    function setReaction(Reaction reaction_) external {
        reaction = reaction_;
    }

    function buy(uint256 value) external {
        _launchpad.buy{value: value}(_token, 0, block.timestamp);
    }

    function sell(uint256 amount) external {
        _launchpad.sell(_token, amount, 0, block.timestamp);
    }

    function createAndBuy(uint256 value) public {
        ITokenFactory factory = ITokenFactory(_launchpad.factory());
        factory.createTokenAndBuy{value: value}("Trader", "TRD", 50, 0, 0);
    }

    receive() external payable {
        require(reaction != Reaction.Refuse);
        if (reaction == Reaction.Accept) return;
        // A sell pays BNB in turn, which must not be answered again.
        Reaction answered = reaction;
        reaction = Reaction.Accept;
        (bool done, bytes memory reason) = _answer(answered);
        answers += 1;
        refusal = done ? bytes("") : reason;
    }

    function _answer(Reaction answered) private returns (bool, bytes memory) {
        if (answered == Reaction.Create) return address(this).call(abi.encodeCall(this.createAndBuy, (1)));
        (bytes memory trade, uint256 value) = _trade(answered);
        return address(_launchpad).call{value: value}(trade);
    }

    function _trade(Reaction answered) private view returns (bytes memory trade, uint256 value) {
        uint256 end = block.timestamp;
        if (answered == Reaction.Buy) return (abi.encodeCall(ILaunchpad.buy, (_token, 0, end)), 1);
        if (answered == Reaction.BuyFor) {
            return (abi.encodeCall(ILaunchpad.buyFor, (_token, address(this), 0, end)), 1);
        }
        if (answered == Reaction.BuyExactOut) {
            return (abi.encodeCall(ILaunchpad.buyExactOut, (_token, address(this), 1, end)), 1);
        }
        if (answered == Reaction.Sell) return (abi.encodeCall(ILaunchpad.sell, (_token, 1e18, 0, end)), 0);
        if (answered == Reaction.SellTo) {
            return (abi.encodeCall(ILaunchpad.sellTo, (_token, address(this), 1e18, 0, end)), 0);
        }
        return (abi.encodeCall(ILaunchpad.sellWithPermit, (_token, 1e18, 0, end, 27, 0, 0)), 0);
    }
}
