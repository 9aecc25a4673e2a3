// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IDexPair, IWbnb} from "./interfaces/IDex.sol";

/// @title Gives a pair its first liquidity, at an exact price, whatever was done to it before
/// @dev The token's lock leaves one thing to do to a pair beforehand: to send it WBNB, and to `sync` it into the
/// reserves. Without tokens in the pair nobody can have minted liquidity or swapped. All such WBNB goes to the
/// token's creator, as WBNB, so that no receiver can refuse it. The pair is called directly: a router would take over
/// the ratio it finds.
library PairSeeding {
    using SafeERC20 for IERC20;
    using SafeERC20 for IWbnb;

    address private constant DEAD = 0x000000000000000000000000000000000000dEaD;

    /// @dev What the swap below is paid with. Against a token reserve of 1 it is enough even for a WBNB reserve of
    /// 2^112 - 1, the most a pair can have.
    uint256 private constant DRAIN_PAYMENT = 1e18;

    /// @dev Leaves the pair with reserves of exactly `tokenAmount` and `bnbAmount`, and its liquidity with nobody.
    function seed(
        address pair,
        address token,
        address wbnb,
        address creator,
        uint256 tokenAmount,
        uint256 bnbAmount
    ) internal {
        IWbnb(wbnb).deposit{value: bnbAmount}();

        uint256 reserve = _wbnbReserve(pair, wbnb);
        if (IWbnb(wbnb).balanceOf(pair) > reserve) IDexPair(pair).skim(creator);

        // Half at most stays in, since minting needs some of both sides to come in.
        uint256 kept = reserve < bnbAmount / 2 ? reserve : bnbAmount / 2;
        uint256 tokensLeft = tokenAmount;
        if (reserve > kept) tokensLeft -= _drain(pair, token, wbnb, creator, reserve - kept);

        IERC20(token).safeTransfer(pair, tokensLeft);
        IWbnb(wbnb).safeTransfer(pair, bnbAmount - kept);
        IDexPair(pair).mint(DEAD);
        if (kept > 0) IWbnb(wbnb).safeTransfer(creator, kept);
    }

    /// @dev Swaps WBNB out of a pair that has no tokens in its reserves, for next to nothing.
    /// @return tokensSpent the tokens that are in the pair afterwards
    function _drain(address pair, address token, address wbnb, address creator, uint256 amount)
        private
        returns (uint256 tokensSpent)
    {
        IERC20(token).safeTransfer(pair, 1);
        IDexPair(pair).sync();
        IERC20(token).safeTransfer(pair, DRAIN_PAYMENT);
        (uint256 amount0, uint256 amount1) = IDexPair(pair).token0() == wbnb ? (amount, uint256(0)) : (uint256(0), amount);
        IDexPair(pair).swap(amount0, amount1, creator, "");
        return DRAIN_PAYMENT + 1;
    }

    function _wbnbReserve(address pair, address wbnb) private view returns (uint256) {
        (uint112 reserve0, uint112 reserve1,) = IDexPair(pair).getReserves();
        return IDexPair(pair).token0() == wbnb ? reserve0 : reserve1;
    }
}
