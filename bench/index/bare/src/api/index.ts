import { Hono } from "hono";

// Ponder requires an API.
export default new Hono();
