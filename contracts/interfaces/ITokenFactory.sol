// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Creates launchpad tokens
/// @notice Deploys a token, hands its whole supply to the launchpad and opens its bonding curve, all in one
/// transaction. There is no owner, no fee and nothing to configure after deployment.
interface ITokenFactory {
    /// @notice A token exists and its curve is about to open.
    /// @param token the new token
    /// @param creator the account that created it
    /// @param name the token's name, 1 to 64 bytes of anything
    /// @param symbol the token's symbol, 1 to 16 bytes of anything
    /// @param burnPercent the share of the supply that is burned at launch, 30 to 70
    /// @param totalSupply the supply that was minted, before the burn
    /// @param salt the CREATE2 salt, or zero if the token was created without one
    event TokenCreated(
        address indexed token,
        address indexed creator,
        string name,
        string symbol,
        uint8 burnPercent,
        uint256 totalSupply,
        bytes32 salt
    );

    /// @dev The burned share must be 30 to 70 percent.
    error BurnPercentOutOfRange(uint8 burnPercent);

    /// @dev A name has 1 to 64 bytes.
    error NameLengthOutOfRange(uint256 length);

    /// @dev A symbol has 1 to 16 bytes.
    error SymbolLengthOutOfRange(uint256 length);

    /// @dev This salt, with this name and symbol, has already created the token at this address.
    error SaltAlreadyUsed(bytes32 salt, address token);

    /// @dev Zero stands for a token without a salt.
    error ZeroSalt();

    /// @dev The salt begins with the address of `owner`, so nobody else can use it.
    error SaltOfAnotherAccount(address owner, address caller);

    /// @dev The router belongs to another DEX factory than the one given.
    error RouterFactoryMismatch(address expected, address actual);

    /// @dev The router wraps BNB with another contract than the one given.
    error RouterWbnbMismatch(address expected, address actual);

    /// @notice Creates a token at the caller's next address, which depends on the caller, the number of tokens that it has
    /// created this way, name and symbol: what others create doesn't change it, nor does a reorg of the chain.
    /// @dev Needs a gas limit of up to 3,900,000, as `createTokenWithSalt` does.
    /// @param name the token's name, 1 to 64 bytes
    /// @param symbol the token's symbol, 1 to 16 bytes
    /// @param burnPercent the share of the supply to burn at launch, 30 to 70
    /// @return tokenAddress the new token
    function createToken(string calldata name, string calldata symbol, uint8 burnPercent)
        external
        returns (address tokenAddress);

    /// @notice Creates a token at an address that depends on name, symbol and salt alone.
    /// @dev A salt whose first 20 bytes are the caller's address is bound to it: nobody else can create the token. One whose
    /// first 20 bytes are zero is not bound, and whoever uses it first creates the token. Any other salt is refused.
    /// @param name the token's name, 1 to 64 bytes
    /// @param symbol the token's symbol, 1 to 16 bytes
    /// @param burnPercent the share of the supply to burn at launch, 30 to 70
    /// @param salt the CREATE2 salt, bound to the caller or not; not zero
    /// @return tokenAddress the new token
    function createTokenWithSalt(string calldata name, string calldata symbol, uint8 burnPercent, bytes32 salt)
        external
        returns (address tokenAddress);

    /// @notice Creates a token and buys from its curve with the BNB sent along, in one transaction: nobody can buy first.
    /// The caller is both the token's creator and the trader.
    /// @dev Needs a gas limit of up to 4,200,000, with the longest name and a buy that sells the curve out: allow
    /// 4,600,000. The launchpad emits what it emits for any buy, and sends refunds to the caller.
    /// @param name the token's name, 1 to 64 bytes
    /// @param symbol the token's symbol, 1 to 16 bytes
    /// @param burnPercent the share of the supply to burn at launch, 30 to 70
    /// @param salt the CREATE2 salt as in `createTokenWithSalt`, or zero for an address as from `createToken`
    /// @param minTokensOut the fewest tokens to accept for all of the BNB, as in `ILaunchpad.buy`
    /// @return tokenAddress the new token
    /// @return tokensOut the tokens bought
    function createTokenAndBuy(
        string calldata name,
        string calldata symbol,
        uint8 burnPercent,
        bytes32 salt,
        uint256 minTokensOut
    ) external payable returns (address tokenAddress, uint256 tokensOut);

    /// @notice Creates a token and buys as `createTokenAndBuy` does, but somebody else gets the tokens. The caller is the
    /// token's creator, since nobody can be made the creator of a token against their will, and gets the refund.
    /// @dev Gas as for `createTokenAndBuy`.
    /// @param name the token's name, 1 to 64 bytes
    /// @param symbol the token's symbol, 1 to 16 bytes
    /// @param burnPercent the share of the supply to burn at launch, 30 to 70
    /// @param salt as in `createTokenAndBuy`: one that is bound is bound to the caller
    /// @param minTokensOut the fewest tokens to accept for all of the BNB, as in `ILaunchpad.buy`
    /// @param recipient the account that gets the tokens, and is the trader of the event
    /// @return tokenAddress the new token
    /// @return tokensOut the tokens bought
    function createFor(
        string calldata name,
        string calldata symbol,
        uint8 burnPercent,
        bytes32 salt,
        uint256 minTokensOut,
        address recipient
    ) external payable returns (address tokenAddress, uint256 tokensOut);

    /// @notice The launchpad that holds and sells every token of this factory.
    function launchpad() external view returns (address);

    /// @notice Who created a token, and how much of it was burned.
    /// @param token the token
    /// @return creator the creator, or zero if the token is not from this factory
    /// @return burnPercent the share that was burned at launch
    function tokens(address token) external view returns (address creator, uint8 burnPercent);

    /// @notice The creation code of every token. A CREATE2 address is derived from it, followed by the ABI-encoded name
    /// and symbol.
    function tokenCreationCode() external view returns (bytes memory);

    /// @notice The address that `createTokenWithSalt` gives for these arguments, whether used already or not.
    /// @param name the token's name
    /// @param symbol the token's symbol
    /// @param salt the CREATE2 salt
    function predictTokenAddress(string calldata name, string calldata symbol, bytes32 salt)
        external
        view
        returns (address);

    /// @notice The address of the next token that this account creates with this name and symbol, but without a salt.
    /// @param creator the account that will create it
    /// @param name the token's name
    /// @param symbol the token's symbol
    function predictNextTokenAddress(address creator, string calldata name, string calldata symbol)
        external
        view
        returns (address);
}
