// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title What the launchpad asks of its tokens, beyond ERC-20
interface ILaunchToken {
    /// @dev The DEX pair gets no tokens, and no answer about balances, before the token has graduated.
    error PairLocked();

    /// @dev Only the launchpad locks and unlocks the pair.
    error NotLaunchpad(address caller);

    /// @notice The launchpad that sells the token.
    function launchpad() external view returns (address);

    /// @notice The DEX pair that is locked, or zero once the token has graduated.
    function lockedPair() external view returns (address);

    /// @notice Destroys tokens of the caller.
    function burn(uint256 value) external;

    /// @notice Refuses transfers to the pair from here on, and the pair's own questions for balances, without which it
    /// can neither `mint` nor `sync` nor `skim`. Anybody else is answered as usual. Only for the launchpad.
    function lockPair(address pair) external;

    /// @notice Lifts the lock for good. Only for the launchpad.
    /// @return pair the pair that was locked
    function unlockPair() external returns (address pair);
}
