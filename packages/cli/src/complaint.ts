/** Something that the person at the keyboard can put right. It is told in its one sentence, without a stack, and ends with its code. */
export class Complaint extends Error {
  readonly code: number;

  constructor(message: string, options?: ErrorOptions & { readonly code?: number }) {
    super(message, options);
    this.name = 'Complaint';
    this.code = options?.code ?? 1;
  }
}
