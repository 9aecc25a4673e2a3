// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPriceFeed} from "./IPriceFeed.sol";

/// @title The address under which a price feed is known
/// @notice What the launchpad's indexer uses of a Chainlink AggregatorProxy, which passes questions on to the aggregator
/// that answers at the time and emits nothing itself.
interface IPriceFeedProxy is IPriceFeed {
    /// @notice The aggregator that answers now.
    function aggregator() external view returns (address);

    /// @notice How many aggregators have answered so far, the one that answers now included.
    function phaseId() external view returns (uint16);

    /// @notice The aggregator of a phase, from 1 to `phaseId()`.
    function phaseAggregators(uint16 phase) external view returns (address);
}
