// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title What the launchpad needs from its tokens beyond ERC-20
interface ILaunchToken {
    /// @dev The DEX pair can neither receive tokens nor read balances before the token has graduated.
    error PairLocked();

    /// @dev Only the launchpad locks and unlocks the pair.
    error NotLaunchpad(address caller);

    /// @notice The launchpad that sells the token.
    function launchpad() external view returns (address);

    /// @notice The DEX pair that is locked, or zero once the token has graduated.
    function lockedPair() external view returns (address);

    /// @notice Destroys tokens of the caller.
    /// @param value how many, in base units
    function burn(uint256 value) external;

    /// @notice From now on refuses transfers to the pair, and the pair's own reads of balances, without which it can
    /// neither `mint` nor `sync` nor `skim`. Everybody else can still read them. Only for the launchpad.
    /// @param pair the DEX pair of the token and WBNB
    function lockPair(address pair) external;

    /// @notice Lifts the lock for good. Only for the launchpad.
    /// @return pair the pair that was locked
    function unlockPair() external returns (address pair);
}
