// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title A price feed
/// @notice The parts of a Chainlink aggregator that the launchpad's indexer uses: the events of its AggregatorInterface
/// and the functions of its AggregatorV3Interface.
interface IPriceFeed {
    /// @notice There is a new answer.
    /// @param current the answer, with the feed's decimals
    /// @param roundId the round of the answer
    /// @param updatedAt when it was given, in seconds since 1970
    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    /// @notice The number of decimals of an answer.
    function decimals() external view returns (uint8);

    /// @notice The pair that is priced, such as "BNB / USD".
    function description() external view returns (string memory);

    /// @notice The last answer.
    /// @return roundId the round of the answer
    /// @return answer the answer, with the feed's decimals
    /// @return startedAt when the round began, in seconds since 1970
    /// @return updatedAt when the answer was given, in seconds since 1970
    /// @return answeredInRound the round in which it was computed
    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);
}
