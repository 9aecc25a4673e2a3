// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPriceFeed} from "./IPriceFeed.sol";

/// @title The address under which a price feed is known
/// @notice The parts of a Chainlink AggregatorProxy that the launchpad's indexer uses. The proxy forwards calls to the
/// current aggregator and emits nothing itself.
interface IPriceFeedProxy is IPriceFeed {
    /// @notice The current aggregator.
    function aggregator() external view returns (address);

    /// @notice The number of aggregators so far, including the current one.
    function phaseId() external view returns (uint16);

    /// @notice The aggregator of a phase, from 1 to `phaseId()`.
    function phaseAggregators(uint16 phase) external view returns (address);
}
