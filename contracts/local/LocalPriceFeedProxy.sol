// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPriceFeed} from "../interfaces/IPriceFeed.sol";
import {IPriceFeedProxy} from "../interfaces/IPriceFeedProxy.sol";

/// @title The proxy of a price feed, for local chains and tests
/// @notice Anyone may replace the aggregator. Never use it where anything is at stake.
contract LocalPriceFeedProxy is IPriceFeedProxy {
    /// @inheritdoc IPriceFeedProxy
    uint16 public phaseId;

    /// @inheritdoc IPriceFeedProxy
    mapping(uint16 phase => address) public phaseAggregators;

    /// @param first the first aggregator
    constructor(address first) {
        setAggregator(first);
    }

    /// @notice Starts a new phase with another aggregator.
    function setAggregator(address next) public {
        phaseId += 1;
        phaseAggregators[phaseId] = next;
    }

    /// @inheritdoc IPriceFeedProxy
    function aggregator() public view returns (address) {
        return phaseAggregators[phaseId];
    }

    /// @inheritdoc IPriceFeed
    function decimals() external view returns (uint8) {
        return IPriceFeed(aggregator()).decimals();
    }

    /// @inheritdoc IPriceFeed
    function description() external view returns (string memory) {
        return IPriceFeed(aggregator()).description();
    }

    /// @inheritdoc IPriceFeed
    /// @dev A round's number begins with its phase's, so that numbers keep growing when the aggregator changes.
    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        (roundId, answer, startedAt, updatedAt, answeredInRound) = IPriceFeed(aggregator()).latestRoundData();
        uint80 phase = uint80(phaseId) << 64;
        roundId |= phase;
        answeredInRound |= phase;
    }
}
