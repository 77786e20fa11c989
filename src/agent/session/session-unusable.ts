/** Why a session cannot be had; the message says it in a sentence. */
export class SessionUnusable extends Error {
  override readonly name = 'SessionUnusable';
}
