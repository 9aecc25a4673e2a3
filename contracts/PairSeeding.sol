// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IDexPair, IWbnb} from "./interfaces/IDex.sol";

/// @title Gives a pair its first liquidity, at an exact price, whatever was done to it before
/// @dev The token's lock keeps a pair's reserves and liquidity at zero, so the only thing that can be done to it
/// beforehand is to send it WBNB. All of that goes to the token's creator, as WBNB, so that no receiver can refuse it.
/// The pair is called directly, because a router would adopt the ratio that it finds.
library PairSeeding {
    using SafeERC20 for IERC20;
    using SafeERC20 for IWbnb;

    address private constant DEAD = 0x000000000000000000000000000000000000dEaD;

    /// @dev Leaves the pair with reserves of exactly `tokenAmount` and `bnbAmount`, and its liquidity with nobody. The
    /// pair must have been unlocked in the same transaction.
    function seed(
        address pair,
        address token,
        address wbnb,
        address creator,
        uint256 tokenAmount,
        uint256 bnbAmount
    ) internal {
        if (IWbnb(wbnb).balanceOf(pair) > 0) IDexPair(pair).skim(creator);

        IWbnb(wbnb).deposit{value: bnbAmount}();
        IWbnb(wbnb).safeTransfer(pair, bnbAmount);
        IERC20(token).safeTransfer(pair, tokenAmount);
        IDexPair(pair).mint(DEAD);
    }
}
