/**
 * How many connections of the API's port may wait until they are accepted. With Node's own 511, a crowd that connects at once fills the
 * queue: Linux drops everyone else's attempts, and they connect a second later. Linux takes the smaller one of this and net.core.somaxconn,
 * 4,096 by default.
 */
export const listenBacklog = 4_096;
