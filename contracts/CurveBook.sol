// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {BondingCurve} from "./BondingCurve.sol";
import {ILaunchpad} from "./interfaces/ILaunchpad.sol";

/// @title The state of each curve
/// @dev Everything that is not stored follows from the burned share.
abstract contract CurveBook is ILaunchpad {
    using SafeCast for uint256;

    struct Curve {
        uint112 virtualBnbReserves;
        uint112 virtualTokenReserves;
        uint8 burnPercent;
        bool graduated;
    }

    mapping(address token => Curve) private _curves;

    /// @inheritdoc ILaunchpad
    function curves(address token)
        external
        view
        returns (
            uint256 virtualBnbReserves,
            uint256 virtualTokenReserves,
            uint256 realTokenReserves,
            uint256 tokensSold,
            uint256 totalToSell,
            uint8 burnPercent,
            bool graduated
        )
    {
        Curve memory curve = _curves[token];
        virtualBnbReserves = curve.virtualBnbReserves;
        if (virtualBnbReserves == 0) return (0, 0, 0, 0, 0, 0, false);

        burnPercent = curve.burnPercent;
        graduated = curve.graduated;
        virtualTokenReserves = curve.virtualTokenReserves;
        totalToSell = BondingCurve.totalToSell(burnPercent);
        realTokenReserves = virtualTokenReserves - BondingCurve.endTokens(burnPercent);
        tokensSold = totalToSell - realTokenReserves;
    }

    /// @inheritdoc ILaunchpad
    function openingTerms(uint8 burnPercent)
        external
        pure
        returns (
            uint256 virtualBnbReserves,
            uint256 virtualTokenReserves,
            uint256 totalToSell,
            uint256 graduationBnbReserves
        )
    {
        virtualBnbReserves = BondingCurve.START_BNB;
        virtualTokenReserves = BondingCurve.startTokens(burnPercent);
        totalToSell = BondingCurve.totalToSell(burnPercent);
        graduationBnbReserves = BondingCurve.END_BNB;
    }

    function _openCurve(address token, uint8 burnPercent) internal {
        uint256 virtualTokens = BondingCurve.startTokens(burnPercent);
        _curves[token] = Curve(BondingCurve.START_BNB.toUint112(), virtualTokens.toUint112(), burnPercent, false);
    }

    function _recordTrade(
        address token,
        address trader,
        Curve memory curve,
        bool isBuy,
        uint256 bnbAmount,
        uint256 tokenAmount
    ) internal {
        _curves[token] = curve;
        emit Trade(
            token,
            trader,
            isBuy,
            bnbAmount,
            tokenAmount,
            curve.virtualBnbReserves,
            curve.virtualTokenReserves
        );
    }

    function _tradable(address token) internal view returns (Curve memory curve) {
        curve = _curves[token];
        if (curve.virtualBnbReserves == 0) revert UnknownToken(token);
        if (curve.graduated) revert AlreadyGraduated(token);
    }
}
