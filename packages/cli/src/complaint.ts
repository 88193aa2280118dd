/** Something that the person at the keyboard can put right. It is told in its one sentence, without a stack, and ends with code 1. */
export class Complaint extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Complaint';
  }
}
