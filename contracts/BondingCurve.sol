// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The economics of a launch, free of state
/// @dev R is the supply that the burn leaves. 3/5 R is for sale, from virtual reserves of 0.1 BNB and 9/5 R to
/// 0.15 BNB and 6/5 R: both have the same product. The other 2/5 R meets the 0.05 BNB raised on the DEX, which is the
/// curve's last price. Every division below by 5 or 100 is exact, as the supply is 1e27.
library BondingCurve {
    uint256 internal constant TOTAL_SUPPLY = 1_000_000_000e18;
    uint256 internal constant START_BNB = 0.1 ether;
    uint256 internal constant END_BNB = 0.15 ether;
    uint256 internal constant RAISED_BNB = END_BNB - START_BNB;

    function burned(uint8 burnPercent) internal pure returns (uint256) {
        return (TOTAL_SUPPLY * burnPercent) / 100;
    }

    function startTokens(uint8 burnPercent) internal pure returns (uint256) {
        return (_remaining(burnPercent) * 9) / 5;
    }

    function endTokens(uint8 burnPercent) internal pure returns (uint256) {
        return (_remaining(burnPercent) * 6) / 5;
    }

    function totalToSell(uint8 burnPercent) internal pure returns (uint256) {
        return (_remaining(burnPercent) * 3) / 5;
    }

    function liquidity(uint8 burnPercent) internal pure returns (uint256) {
        return (_remaining(burnPercent) * 2) / 5;
    }

    /// @dev What `amountIn` of the one reserve brings of the other, rounded down: the product never falls.
    function quote(uint256 reserveIn, uint256 reserveOut, uint256 amountIn) internal pure returns (uint256) {
        return (reserveOut * amountIn) / (reserveIn + amountIn);
    }

    function _remaining(uint8 burnPercent) private pure returns (uint256) {
        return TOTAL_SUPPLY - burned(burnPercent);
    }
}
