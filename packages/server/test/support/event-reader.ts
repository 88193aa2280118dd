import { base, until } from './fleet.ts';
import type { TestServer } from './test-server.ts';

export interface ReadEvent {
  readonly event: string;
  readonly id: string;
  readonly data: {
    readonly type?: string;
    readonly reason?: string;
    readonly total?: number;
    readonly summary?: {
      readonly namespace: string;
      readonly name: string;
      readonly health: string;
      readonly resourceVersion: string;
    };
  };
}

/** Reads the event stream of a server as a browser does. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  readonly #stop = new AbortController();
  isEnded = false;
  status = 0;

  static async open(
    server: Pick<TestServer, 'port'>,
    token: string,
    query = '',
    lastEventId?: string,
  ): Promise<EventReader> {
    const reader = new EventReader();
    const answer = await fetch(`http://127.0.0.1:${server.port}${base}/events${query}`, {
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      signal: reader.#stop.signal,
    });
    reader.status = answer.status;
    void reader.#read(answer);
    return reader;
  }

  /** Those of Applications, as `TYPE name`. */
  get changes(): string[] {
    return this.events.flatMap(({ event, data }) =>
      event === 'application' ? [`${data.type} ${data.summary?.name}`] : [],
    );
  }

  get lastId(): string {
    return this.events.at(-1)?.id ?? '';
  }

  has(event: string): boolean {
    return this.events.some((one) => one.event === event);
  }

  until(holds: (reader: this) => boolean): Promise<void> {
    return until(() => holds(this));
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(answer: Response): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const chunk of answer.body ?? []) {
        const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.events.push(parsed(block));
      }
    } catch (error) {
      if (!this.#stop.signal.aborted && !(error instanceof TypeError)) throw error;
    }
    this.isEnded = true;
  }
}

export function parsed(block: string): ReadEvent {
  const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'mu').exec(block)?.[1] ?? '';
  return { event: field('event'), id: field('id'), data: JSON.parse(field('data')) };
}
