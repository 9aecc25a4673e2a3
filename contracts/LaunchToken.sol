// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {BondingCurve} from "./BondingCurve.sol";
import {ILaunchToken} from "./interfaces/ILaunchToken.sol";
import {ITokenFactory} from "./interfaces/ITokenFactory.sol";

/// @title A token of the launchpad
/// @notice A plain, burnable ERC-20 with one rule, which ends at graduation: until then its DEX pair can neither receive
/// tokens nor read balances, so that nobody can set the pair's price or add liquidity before the launchpad does.
/// Holders may approve by signature (ERC-2612). The EIP-712 domain's name is the same for all tokens, because wallets show
/// it: a token's own may be any text.
contract LaunchToken is ERC20Burnable, ERC20Permit, ILaunchToken {
    address public immutable launchpad;
    address public lockedPair;

    /// @dev The launchpad is asked of the factory rather than passed in, so that a CREATE2 address depends on name,
    /// symbol and salt alone.
    constructor(string memory name, string memory symbol) ERC20(name, symbol) ERC20Permit("Launchpad Token") {
        launchpad = ITokenFactory(msg.sender).launchpad();
        _mint(launchpad, BondingCurve.TOTAL_SUPPLY);
    }

    modifier onlyLaunchpad() {
        if (msg.sender != launchpad) revert NotLaunchpad(msg.sender);
        _;
    }

    /// @inheritdoc ILaunchToken
    function lockPair(address pair) external onlyLaunchpad {
        lockedPair = pair;
    }

    /// @inheritdoc ILaunchToken
    function unlockPair() external onlyLaunchpad returns (address pair) {
        pair = lockedPair;
        delete lockedPair;
    }

    /// @inheritdoc ILaunchToken
    function burn(uint256 value) public override(ERC20Burnable, ILaunchToken) {
        super.burn(value);
    }

    /// @notice The balance of an account, in base units. Reverts for the locked pair as the caller.
    /// @dev The pair reads its balance in each of its functions that account for what it was sent. The call is refused by
    /// its caller, not by `account`: wallets and explorers read many balances in one call, which must not fail.
    /// @param account the holder
    function balanceOf(address account) public view override returns (uint256) {
        // A call without a sender comes from the zero address, which is also the value of an unlocked token's pair.
        if (msg.sender != address(0) && msg.sender == lockedPair) revert PairLocked();
        return super.balanceOf(account);
    }

    function _update(address from, address to, uint256 value) internal override {
        // A burn goes to the zero address, which is also the value of an unlocked token's pair.
        if (to != address(0) && to == lockedPair) revert PairLocked();
        super._update(from, to, value);
    }
}
