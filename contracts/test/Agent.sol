// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev Makes any calls for anyone: a contract wallet, a bot, an aggregator or a borrower, depending on the calls.
contract Agent {
    struct Call {
        address target;
        uint256 value;
        bytes data;
        /// @dev Not zero: the number at `offset` in `data` is replaced by `percent` of the agent's balance of this token.
        address token;
        uint256 percent;
        uint256 offset;
    }

    /// @dev Reverts if one of the calls does and `mayFail` is false.
    function execute(Call[] memory calls, bool mayFail) public payable {
        for (uint256 i = 0; i < calls.length; i++) {
            (bool done, bytes memory reason) = _make(calls[i]);
            if (done || mayFail) continue;
            assembly {
                revert(add(reason, 32), mload(reason))
            }
        }
    }

    /// @dev A Uniswap V2 pair calls it during a flash swap, with the calls to make meanwhile.
    function uniswapV2Call(address, uint256, uint256, bytes calldata data) external {
        execute(abi.decode(data, (Call[])), false);
    }

    receive() external payable {}

    function _make(Call memory call) private returns (bool, bytes memory) {
        if (call.token != address(0)) {
            uint256 amount = IERC20(call.token).balanceOf(address(this)) * call.percent / 100;
            bytes memory data = call.data;
            uint256 offset = call.offset;
            assembly {
                mstore(add(add(data, 32), offset), amount)
            }
        }
        return call.target.call{value: call.value}(call.data);
    }
}
