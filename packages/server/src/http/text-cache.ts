/** Texts by key, up to a total length. The one used least recently is forgotten. */
export class TextCache {
  readonly #maxLength: number;
  readonly #texts = new Map<string, string>();
  #length = 0;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get length(): number {
    return this.#length;
  }

  get(key: string): string | undefined {
    const text = this.#texts.get(key);
    if (text === undefined) return undefined;
    this.#texts.delete(key);
    this.#texts.set(key, text);
    return text;
  }

  set(key: string, text: string): void {
    this.#length += text.length - (this.#texts.get(key)?.length ?? 0);
    this.#texts.delete(key);
    this.#texts.set(key, text);
    for (const [oldest, known] of this.#texts) {
      if (this.#length <= this.#maxLength) return;
      this.#texts.delete(oldest);
      this.#length -= known.length;
    }
  }
}
