// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev A creator of tokens that answers ERC-1271 calls in ways that harm careless callers.
contract HostileWallet {
    enum Manner {
        OffchainLookup,
        LongAnswer,
        LongRevert,
        BurnGas
    }

    /// @dev ERC-3668: asks the client to fetch one of the URLs.
    error OffchainLookup(
        address sender,
        string[] urls,
        bytes callData,
        bytes4 callbackFunction,
        bytes extraData
    );

    Manner public manner;
    /// @dev The number of bytes of an answer or a revert's reason, which begins like a valid answer.
    uint256 public length;
    string[] private _urls;

    constructor(string[] memory urls) {
        _urls = urls;
    }

    function setManner(Manner manner_, uint256 length_) external {
        manner = manner_;
        length = length_;
    }

    /// @dev Makes any call as the wallet.
    function execute(address target, bytes calldata data) external returns (bytes memory answer) {
        bool done;
        (done, answer) = target.call(data);
        require(done);
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (manner == Manner.OffchainLookup) {
            revert OffchainLookup(address(this), _urls, "", this.isValidSignature.selector, "");
        }
        if (manner == Manner.BurnGas) while (true) {}
        bytes4 valid = this.isValidSignature.selector;
        bool reverts = manner == Manner.LongRevert;
        uint256 size = length;
        assembly {
            mstore(0, valid)
            if reverts {
                revert(0, size)
            }
            return(0, size)
        }
    }
}
