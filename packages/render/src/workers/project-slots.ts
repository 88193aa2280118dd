/** Lets a limited number of tasks of each project start; the others wait in order. */
export class ProjectSlots {
  readonly #slots: number;
  readonly #projects = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  constructor(slots: number) {
    this.#slots = slots;
  }

  async run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const project = this.#projects.get(name) ?? { running: 0, waiting: [] };
    this.#projects.set(name, project);
    if (project.running < this.#slots) project.running += 1;
    else await new Promise<void>((start) => project.waiting.push(start));
    try {
      return await task();
    } finally {
      const next = project.waiting.shift();
      if (next) next();
      else if (--project.running === 0) this.#projects.delete(name);
    }
  }
}
