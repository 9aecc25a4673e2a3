// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev The parts of a Uniswap V2 deployment, or a fork such as PancakeSwap V2, that the launchpad needs.
interface IDexFactory {
    /// @notice The pair of two tokens, in either order, or zero if there is none.
    function getPair(address tokenA, address tokenB) external view returns (address pair);

    /// @notice Creates the pair of two tokens. Anybody may, and the tokens need not exist yet.
    function createPair(address tokenA, address tokenB) external returns (address pair);
}

interface IDexRouter {
    /// @notice The factory whose pairs the router trades on.
    function factory() external view returns (address);

    /// @notice The contract with which the router wraps the chain's native coin.
    function WETH() external view returns (address);
}

interface IDexPair {
    /// @notice Turns what was sent to the pair beyond its reserves into liquidity for `to`.
    function mint(address to) external returns (uint256 liquidity);

    /// @notice Sends what the pair holds beyond its reserves to `to`.
    function skim(address to) external;
}

interface IWbnb is IERC20 {
    /// @notice Wraps the BNB sent along.
    function deposit() external payable;
}
