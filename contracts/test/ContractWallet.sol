// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @dev A wallet with one owner that signs by ERC-1271, or misbehaves when asked to.
contract ContractWallet {
    enum Manner {
        Honest,
        Revert,
        Loop,
        Garbage
    }

    address private immutable _owner;
    Manner public manner;

    constructor(address owner) {
        _owner = owner;
    }

    function setManner(Manner manner_) external {
        manner = manner_;
    }

    /// @dev Makes any call as the wallet.
    function execute(address target, bytes calldata data) external returns (bytes memory answer) {
        bool done;
        (done, answer) = target.call(data);
        require(done);
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (manner == Manner.Revert) revert();
        if (manner == Manner.Loop) while (true) {}
        if (manner == Manner.Garbage) {
            assembly {
                mstore(0, 1)
                return(31, 1)
            }
        }
        (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(hash, signature);
        bool valid = failure == ECDSA.RecoverError.NoError && signer == _owner;
        return valid ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
