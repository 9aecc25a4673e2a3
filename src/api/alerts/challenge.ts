import { timingSafeEqual } from "node:crypto";

/** Whether an answer is the challenge, or JSON whose field `challenge` is. */
export function echoes(answer: string, challenge: string): boolean {
  const text = answer.trim();
  return isEqual(text, challenge) || isEqual(challengeOf(text), challenge);
}

function challengeOf(text: string): string {
  try {
    const { challenge } = JSON.parse(text) as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}

function isEqual(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
