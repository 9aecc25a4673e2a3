import { Hono } from "hono";

// Ponder asks for one.
export default new Hono();
