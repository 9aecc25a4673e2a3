// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title The economics of a launch, without state
/// @notice A constant product without a fee. R is the supply that the burn leaves: 3/5 R is for sale, from virtual
/// reserves of 0.1 BNB and 9/5 R to 0.15 BNB and 6/5 R, which have the same product. The other 2/5 R meets the 0.05 BNB
/// raised on the DEX, which is the curve's last price.
/// @dev The supply is 1e27, so every division by 5 or 100 is exact. A `burnPercent` above 100 reverts.
library BondingCurve {
    /// @notice The supply of every token before the burn, in base units.
    uint256 internal constant TOTAL_SUPPLY = 1_000_000_000e18;

    /// @notice The virtual BNB reserve of a new curve, in wei. No BNB backs it.
    uint256 internal constant START_BNB = 0.1 ether;

    /// @notice The virtual BNB reserve at which a curve is sold out, in wei.
    uint256 internal constant END_BNB = 0.15 ether;

    /// @notice The total that a curve raises, in wei: the BNB side of the DEX liquidity.
    uint256 internal constant RAISED_BNB = END_BNB - START_BNB;

    /// @notice How much of the supply is burned at launch.
    /// @param burnPercent the share of the supply, in percent
    /// @return amount base units
    function burned(uint8 burnPercent) internal pure returns (uint256 amount) {
        return (TOTAL_SUPPLY * burnPercent) / 100;
    }

    /// @notice The virtual token reserve of a new curve: 9/5 R.
    /// @param burnPercent the share of the supply that is burned, in percent
    /// @return amount base units
    function startTokens(uint8 burnPercent) internal pure returns (uint256 amount) {
        return (_remaining(burnPercent) * 9) / 5;
    }

    /// @notice The virtual token reserve at which a curve is sold out: 6/5 R.
    /// @param burnPercent the share of the supply that is burned, in percent
    /// @return amount base units
    function endTokens(uint8 burnPercent) internal pure returns (uint256 amount) {
        return (_remaining(burnPercent) * 6) / 5;
    }

    /// @notice The total number of tokens that a curve sells: 3/5 R.
    /// @param burnPercent the share of the supply that is burned, in percent
    /// @return amount base units
    function totalToSell(uint8 burnPercent) internal pure returns (uint256 amount) {
        return (_remaining(burnPercent) * 3) / 5;
    }

    /// @notice The token side of the DEX liquidity: 2/5 R.
    /// @param burnPercent the share of the supply that is burned, in percent
    /// @return amount base units
    function liquidity(uint8 burnPercent) internal pure returns (uint256 amount) {
        return (_remaining(burnPercent) * 2) / 5;
    }

    /// @notice The output of a trade, rounded down so that the product of the reserves never falls.
    /// @param reserveIn the reserve that is paid into, in its own unit; above zero
    /// @param reserveOut the reserve that is paid out of, in its own unit
    /// @param amountIn the amount paid in, in the unit of `reserveIn`
    /// @return amountOut the amount paid out, in the unit of `reserveOut`; less than all of it
    function quote(uint256 reserveIn, uint256 reserveOut, uint256 amountIn)
        internal
        pure
        returns (uint256 amountOut)
    {
        return (reserveOut * amountIn) / (reserveIn + amountIn);
    }

    /// @notice The input of a trade with a given output, rounded up so that the product of the reserves never falls.
    /// @param reserveIn the reserve that is paid into, in its own unit
    /// @param reserveOut the reserve that is paid out of, in its own unit
    /// @param amountOut the amount paid out, in the unit of `reserveOut`; less than all of it
    /// @return amountIn the amount paid in, in the unit of `reserveIn`: the least for which `quote` gives `amountOut`
    function cost(uint256 reserveIn, uint256 reserveOut, uint256 amountOut)
        internal
        pure
        returns (uint256 amountIn)
    {
        return Math.ceilDiv(reserveIn * amountOut, reserveOut - amountOut);
    }

    /// @dev R, in base units: the supply that the burn leaves.
    function _remaining(uint8 burnPercent) private pure returns (uint256 amount) {
        return TOTAL_SUPPLY - burned(burnPercent);
    }
}
