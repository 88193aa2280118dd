/** Called for each ref; `peeled` is the commit of an annotated tag. */
export type AcceptRef = (name: string, id: string, peeled: string | undefined) => void;

/** Reads the output of `git ls-remote`: an id and a name in each line, and after an annotated tag its commit under the name `TAG^{}`. */
export class RefLines {
  readonly #accept: AcceptRef;
  #rest = '';
  /** The ref of the last line: the next one may have its commit. */
  #last: { readonly name: string; readonly id: string } | undefined;

  constructor(accept: AcceptRef) {
    this.#accept = accept;
  }

  push(bytes: Buffer): void {
    const lines = `${this.#rest}${bytes.toString('latin1')}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const [id = '', encoded = ''] = line.split('\t');
      const name = Buffer.from(encoded, 'latin1').toString();
      const isPeeled = name.endsWith('^{}');
      this.#flush(isPeeled ? id : undefined);
      if (!isPeeled && name !== '') this.#last = { name, id };
    }
  }

  end(): void {
    this.#flush(undefined);
  }

  #flush(peeled: string | undefined): void {
    if (this.#last) this.#accept(this.#last.name, this.#last.id, peeled);
    this.#last = undefined;
  }
}
