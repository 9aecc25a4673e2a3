// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Sells tokens on a bonding curve until they graduate to a DEX
/// @notice A constant product of a virtual BNB reserve and a virtual token reserve, without a fee. When everything
/// that is for sale is sold, the BNB raised and the tokens kept back become DEX liquidity that nobody can withdraw.
interface ILaunchpad {
    /// @notice A curve opened for trading.
    /// @param token the token it sells
    /// @param creator the account that created the token
    /// @param burnPercent the share of the supply that was burned
    /// @param virtualBnbReserves the BNB reserve that the first price is computed from; no BNB backs it yet
    /// @param virtualTokenReserves the token reserve that the first price is computed from
    /// @param totalToSell how many tokens the curve sells before the token graduates
    event CurveOpened(
        address indexed token,
        address indexed creator,
        uint8 burnPercent,
        uint256 virtualBnbReserves,
        uint256 virtualTokenReserves,
        uint256 totalToSell
    );

    /// @notice Somebody bought from or sold to a curve.
    /// @param token the token
    /// @param trader the account that got the tokens, or that sold them
    /// @param isBuy whether the trader bought tokens
    /// @param bnbAmount the BNB that changed hands, without what was refunded
    /// @param tokenAmount the tokens that changed hands
    /// @param virtualBnbReserves the BNB reserve after the trade
    /// @param virtualTokenReserves the token reserve after the trade
    event Trade(
        address indexed token,
        address indexed trader,
        bool isBuy,
        uint256 bnbAmount,
        uint256 tokenAmount,
        uint256 virtualBnbReserves,
        uint256 virtualTokenReserves
    );

    /// @notice A curve sold out, and its token trades on the DEX from now on.
    /// @dev Emitted last, after the pair has its liquidity: nothing that the pair emits before it is a trade.
    /// @param token the token
    /// @param pair the DEX pair of the token and WBNB
    /// @param bnbLiquidity the pair's WBNB reserve
    /// @param tokenLiquidity the pair's token reserve
    event Graduated(address indexed token, address indexed pair, uint256 bnbLiquidity, uint256 tokenLiquidity);

    /// @dev Only the token factory opens curves.
    error NotFactory(address caller);

    /// @dev No curve was ever opened for this token.
    error UnknownToken(address token);

    /// @dev The curve is closed; the token trades on the DEX.
    error AlreadyGraduated(address token);

    /// @dev The block's time is past the deadline of the trade.
    error DeadlineExpired(uint256 deadline);

    /// @dev A trade of nothing.
    error ZeroAmount();

    /// @dev So few tokens that they are worth less than one wei.
    error ZeroOutput();

    /// @dev The trade yields less than the trader's minimum. If the curve ends within a `buy`, `minimum` is scaled to the
    /// share of the BNB that the curve takes.
    error InsufficientOutput(uint256 amountOut, uint256 minimum);

    /// @dev The tokens cost more than was sent along.
    error InsufficientInput(uint256 amountIn, uint256 cost);

    /// @dev Nobody can receive anything at the zero address or the launchpad's own.
    error InvalidRecipient(address recipient);

    /// @dev The receiver did not accept its BNB.
    error BnbTransferFailed(address receiver);

    /// @notice Burns a new token's share and opens its curve. Only for the factory, once for each token.
    /// @param token the new token, whose whole supply the launchpad holds
    /// @param creator the account that created it
    /// @param burnPercent the share of the supply to burn
    function openCurve(address token, address creator, uint8 burnPercent) external;

    /// @notice Buys tokens with the BNB sent along.
    /// @dev A buy of more than what is left takes what is left, refunds the rest and graduates the token.
    /// Graduating needs a gas limit of up to 350,000 instead of 70,000, whatever was sent to the pair, on Uniswap V2 and
    /// PancakeSwap V2, with and without the DEX's share of the fees. Another buy may come first: allow 400,000.
    /// @param token the token to buy
    /// @param minTokensOut the fewest tokens to accept for all of the BNB. It limits the price: if the curve ends within
    /// the buy and takes only a share of the BNB, the same share of `minTokensOut` applies, rounded up
    /// @param deadline the last second at which the trade may happen
    /// @return tokensOut the tokens bought
    function buy(address token, uint256 minTokensOut, uint256 deadline) external payable returns (uint256 tokensOut);

    /// @notice Buys tokens for somebody else, or oneself, with the BNB sent along. Unlike that of `buy`, the limit is
    /// absolute: if too little is left on the curve, nothing is bought.
    /// @dev Gas as for `buy`. Refunds go to the caller.
    /// @param token the token to buy
    /// @param recipient the account that gets the tokens, and is the trader of the event
    /// @param minTokensOut the fewest tokens to accept, even if the curve ends within the buy
    /// @param deadline the last second at which the trade may happen
    /// @return tokensOut the tokens bought
    function buyFor(address token, address recipient, uint256 minTokensOut, uint256 deadline)
        external
        payable
        returns (uint256 tokensOut);

    /// @notice Buys a given number of tokens for at most the BNB sent along, the rest of which the caller gets back.
    /// @dev Gas as for `buy`, or up to 85,000 with a refund. The buy of all that is left graduates the token. One of so little less that it costs as much
    /// gets all that is left too: it is the only way to get more than asked for.
    /// @param token the token to buy
    /// @param recipient the account that gets the tokens, and is the trader of the event
    /// @param tokensOut how many tokens to buy
    /// @param deadline the last second at which the trade may happen
    /// @return bnbIn the BNB paid
    function buyExactOut(address token, address recipient, uint256 tokensOut, uint256 deadline)
        external
        payable
        returns (uint256 bnbIn);

    /// @notice Buys with the BNB sent along, as `buy` does. Only for the factory, in the transaction that opens the curve.
    /// @param token the token to buy
    /// @param payer the account that gets the refund
    /// @param recipient the account that gets the tokens
    /// @param minTokensOut as in `buy`
    /// @return tokensOut the tokens bought
    function buyFirst(address token, address payer, address recipient, uint256 minTokensOut)
        external
        payable
        returns (uint256 tokensOut);

    /// @notice Sells tokens, which the seller has approved beforehand, back to the curve.
    /// @param token the token to sell
    /// @param tokenAmount how many tokens to sell
    /// @param minBnbOut the least BNB to accept
    /// @param deadline the last second at which the trade may happen
    /// @return bnbOut the BNB paid
    function sell(address token, uint256 tokenAmount, uint256 minBnbOut, uint256 deadline)
        external
        returns (uint256 bnbOut);

    /// @notice Sells the caller's tokens as `sell` does, and pays somebody else.
    /// @param token the token to sell
    /// @param recipient the account that gets the BNB; the trader of the event is the caller
    /// @param tokenAmount how many tokens to sell
    /// @param minBnbOut the least BNB to accept
    /// @param deadline the last second at which the trade may happen
    /// @return bnbOut the BNB paid
    function sellTo(
        address token,
        address recipient,
        uint256 tokenAmount,
        uint256 minBnbOut,
        uint256 deadline
    ) external returns (uint256 bnbOut);

    /// @notice Sells as `sell` does, approved by the seller's signature instead of a transaction.
    /// @dev A signature that was used by somebody else in the meantime does no harm: the allowance that it gave counts.
    /// @param token the token to sell, which has ERC-2612's `permit`
    /// @param tokenAmount how many tokens to sell: the value of the permit
    /// @param minBnbOut the least BNB to accept
    /// @param deadline the last second at which the trade may happen, and the deadline of the permit
    /// @param v of the caller's signature of the permit, whose spender is the launchpad
    /// @param r of the signature
    /// @param s of the signature
    /// @return bnbOut the BNB paid
    function sellWithPermit(
        address token,
        uint256 tokenAmount,
        uint256 minBnbOut,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external returns (uint256 bnbOut);

    /// @notice The state of a curve; all zero for a token that this launchpad doesn't sell.
    /// @param token the token
    /// @return virtualBnbReserves the BNB side of the price; 0.1 BNB above what has been raised
    /// @return virtualTokenReserves the token side of the price
    /// @return realTokenReserves how many tokens are left for sale
    /// @return tokensSold how many have been sold
    /// @return totalToSell how many are for sale in total
    /// @return burnPercent the share of the supply that was burned
    /// @return graduated whether the curve has sold out
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
        );

    /// @notice The state in which a curve opens, and where it ends.
    /// @param burnPercent the share of the supply that is burned at launch, in percent
    /// @return virtualBnbReserves the BNB reserve that the first price is computed from, in wei
    /// @return virtualTokenReserves the token reserve that the first price is computed from, in base units
    /// @return totalToSell how many tokens there are for sale, in base units
    /// @return graduationBnbReserves the BNB reserve at which all of them are sold, in wei
    function openingTerms(uint8 burnPercent)
        external
        pure
        returns (
            uint256 virtualBnbReserves,
            uint256 virtualTokenReserves,
            uint256 totalToSell,
            uint256 graduationBnbReserves
        );

    /// @notice The factory whose tokens are sold here.
    function factory() external view returns (address);

    /// @notice The DEX factory in which tokens get their pair.
    function dexFactory() external view returns (address);

    /// @notice The DEX router through which clients trade a graduated token. The launchpad itself never calls it.
    function router() external view returns (address);

    /// @notice The wrapped BNB of the DEX.
    function wbnb() external view returns (address);
}
