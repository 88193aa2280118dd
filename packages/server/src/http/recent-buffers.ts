/** Encoded forms of the last messages: clients of a stream ask for the same ones at about the same time. */
export class RecentBuffers {
  readonly #maxMessages: number;
  readonly #byMessage = new Map<object, Map<string, Uint8Array>>();

  constructor(maxMessages: number) {
    this.#maxMessages = maxMessages;
  }

  get(message: object, form: string, encode: () => string): Uint8Array {
    const known = this.#byMessage.get(message)?.get(form);
    if (known) return known;
    const forms = this.#byMessage.get(message) ?? new Map<string, Uint8Array>();
    const buffer = Buffer.from(encode());
    forms.set(form, buffer);
    this.#byMessage.set(message, forms);
    for (const oldest of this.#byMessage.keys()) {
      if (this.#byMessage.size <= this.#maxMessages) break;
      this.#byMessage.delete(oldest);
    }
    return buffer;
  }
}
