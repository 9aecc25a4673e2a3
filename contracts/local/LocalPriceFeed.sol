// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IPriceFeed} from "../interfaces/IPriceFeed.sol";

/// @title A price feed for local chains and tests
/// @notice Answers with whatever anyone set last. Never use it where anything is at stake.
contract LocalPriceFeed is IPriceFeed {
    /// @inheritdoc IPriceFeed
    uint8 public immutable decimals;

    /// @inheritdoc IPriceFeed
    string public description;

    uint80 private round;
    int256 private answer;
    uint256 private updatedAt;

    /// @dev Nothing has been answered yet.
    error NoAnswer();

    /// @param decimals_ the number of decimals of an answer
    /// @param description_ the pair that is priced
    constructor(uint8 decimals_, string memory description_) {
        decimals = decimals_;
        description = description_;
    }

    /// @notice Sets the answer, which may be anything.
    function updateAnswer(int256 answer_) external {
        round += 1;
        answer = answer_;
        updatedAt = block.timestamp;
        emit AnswerUpdated(answer_, round, block.timestamp);
    }

    /// @inheritdoc IPriceFeed
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        if (round == 0) revert NoAnswer();
        return (round, answer, updatedAt, updatedAt, round);
    }
}
