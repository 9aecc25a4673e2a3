// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice Emits any logs it is told to, in one transaction: what the worst contract could do to an indexer.
contract LogEmitter {
    struct Log {
        bytes32[] topics;
        bytes data;
    }

    /// @notice Emits `logs` in their order, each with up to four topics.
    function emitLogs(Log[] calldata logs) external {
        for (uint256 i = 0; i < logs.length; i++) {
            bytes32[] memory topics = logs[i].topics;
            bytes memory data = logs[i].data;
            assembly {
                let start := add(data, 32)
                let length := mload(data)
                let first := mload(add(topics, 32))
                let second := mload(add(topics, 64))
                let third := mload(add(topics, 96))
                switch mload(topics)
                case 1 { log1(start, length, first) }
                case 2 { log2(start, length, first, second) }
                case 3 { log3(start, length, first, second, third) }
                default { log4(start, length, first, second, third, mload(add(topics, 128))) }
            }
        }
    }
}
