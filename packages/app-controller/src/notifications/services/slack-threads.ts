/** Threads of one workspace: the first message of each grouping key by channel. */
export class SlackThreads {
  readonly #timestamps = new Map<string, string>();
  readonly #channels = new Map<string, string>();

  timestampOf(recipient: string, groupingKey: string): string | undefined {
    return this.#timestamps.get(`${recipient}\n${groupingKey}`);
  }

  /** The id of a channel, which updates need; its name if it is not known. */
  channelOf(recipient: string): string {
    return this.#channels.get(recipient) ?? recipient;
  }

  remember(recipient: string, groupingKey: string, { channel, ts }: { channel: string; ts: string }): void {
    if (channel !== '') keep(this.#channels, recipient, channel);
    const key = `${recipient}\n${groupingKey}`;
    if (groupingKey !== '' && ts !== '' && !this.#timestamps.has(key)) keep(this.#timestamps, key, ts);
  }
}

const maxKept = 10_000;
const workspaces = new Map<string, SlackThreads>();

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxKept && oldest !== undefined) map.delete(oldest);
}

/** A change of the configuration makes another service: threads outlive it. */
export function threadsOf(apiUrl: string, token: string): SlackThreads {
  const id = `${apiUrl}\n${token}`;
  const known = workspaces.get(id) ?? new SlackThreads();
  keep(workspaces, id, known);
  return known;
}
