import type { Writable } from 'node:stream';
import { formatLimit, limits, limitTable } from '@fairlead/kube';
import { SourceError } from '../source-error.ts';
import type { GitCall } from './git-process.ts';
import type { GitRemote } from './git-remote.ts';
import { delimiterPacket, flushPacket, type PacketMark, PacketReader, packet } from './pkt-line.ts';
import { type AcceptRef, RefLines } from './ref-lines.ts';

/** Others get a turn after `stepMs`; the clock is read after each `stepBytes`. */
const stepBytes = 8 * 1024;
const stepMs = 10;

const call: GitCall = {
  timeoutMs: limits.gitRefsMs,
  memoryBytes: limits.gitRefsMemoryBytes,
  config: { 'http.lowSpeedLimit': '1', 'http.lowSpeedTime': String(limits.gitFirstByteMs / 1000) },
};

/** Receives refs while they arrive. */
export interface RefReceiver {
  /** What the names of refs begin with that are needed. */
  readonly prefixes: readonly string[];
  /** `peeled` is the commit of an annotated tag. */
  ref(name: string, id: string, peeled?: string): void;
}

/** Reads the refs that a scan needs, in the way that the server supports. Returns whether the server sends all refs, whichever are needed. */
export async function readRefs(remote: GitRemote, scan: RefReceiver, sendsAll = false): Promise<boolean> {
  if (!sendsAll && remote.from.transport === 'http' && (await askForRefs(remote, scan))) return false;
  await listRefs(remote, scan);
  return true;
}

/**
 * Asks a server for the refs that a scan needs. Returns false if the server does not support version 2 of the protocol, whose clients can say
 * which refs they need: `git ls-remote` never does.
 */
async function askForRefs(remote: GitRemote, scan: RefReceiver): Promise<boolean> {
  const address = remote.from.url;
  return remote.stream(['remote-https', 'origin'], call, async (output, input) => {
    const refs = new RefCounter(scan, address);
    const conversation = new Conversation(input, scan.prefixes, (name, id, peeled) => refs.add(name, id, peeled));
    for await (const step of inSteps(output)) {
      refs.received(step.length);
      conversation.push(step);
    }
    return conversation.isSupported;
  });
}

/** Reads all branches and tags, and the other refs that a scan needs, from the output of `git ls-remote`. */
async function listRefs(remote: GitRemote, scan: RefReceiver): Promise<void> {
  const others = scan.prefixes.filter((name) => /^refs\/(?!heads\/|tags\/)/u.test(name));
  const args = ['ls-remote', '--quiet', '--', 'origin', 'HEAD', 'refs/heads/*', 'refs/tags/*', ...others];
  await remote.stream(args, call, async (output, input) => {
    input.end();
    const refs = new RefCounter(scan, remote.from.url);
    const lines = new RefLines((name, id, peeled) => refs.add(name, id, peeled));
    for await (const step of inSteps(output)) {
      refs.received(step.length);
      lines.push(step);
    }
    lines.end();
  });
}

/** The client's side of `ls-refs`, spoken through git's own helper, which connects and signs in. */
class Conversation {
  readonly #input: Writable;
  readonly #prefixes: readonly string[];
  readonly #ref: AcceptRef;
  readonly #packets = new PacketReader((text, isMark) => this.#packet(text, isMark));
  #state: 'connecting' | 'capabilities' | 'refs' | 'done' = 'connecting';
  #objectFormat = '';
  #reply = '';

  constructor(input: Writable, prefixes: readonly string[], ref: AcceptRef) {
    this.#input = input;
    this.#prefixes = prefixes;
    this.#ref = ref;
    input.write('stateless-connect git-upload-pack\n');
  }

  get isSupported(): boolean {
    return this.#state === 'done';
  }

  push(chunk: Buffer): void {
    if (this.#state !== 'connecting') return this.#packets.push(chunk);
    const end = chunk.indexOf(10);
    this.#reply += chunk.toString('latin1', 0, end < 0 ? chunk.length : end);
    if (end < 0) return;
    // An empty line: connected. The other answer is `fallback`; the helper ends with an error unless an empty line ends its commands.
    if (this.#reply !== '') return void this.#input.end('\n');
    this.#state = 'capabilities';
    this.#packets.push(chunk.subarray(end + 1));
  }

  #packet(text: string | PacketMark, isMark: boolean): void {
    if (this.#state === 'capabilities') {
      if (text.startsWith('object-format=')) this.#objectFormat = text.trimEnd();
      if (isMark && text === 'flush') this.#request();
    } else if (this.#state === 'refs') {
      if (!isMark) this.#line(text.trimEnd());
      else if (text === 'flush') {
        this.#state = 'done';
        this.#input.end();
      }
    }
  }

  #request(): void {
    this.#state = 'refs';
    const capabilities = this.#objectFormat === '' ? '' : packet(`${this.#objectFormat}\n`);
    const prefixes = this.#prefixes.map((prefix) => packet(`ref-prefix ${prefix}\n`)).join('');
    this.#input.write(
      `${packet('command=ls-refs\n')}${capabilities}${delimiterPacket}${packet('peel\n')}${prefixes}${flushPacket}`,
    );
  }

  /** `ID NAME`, and for an annotated tag `peeled:COMMIT`. */
  #line(line: string): void {
    const [id = '', name = '', ...attributes] = line.split(' ');
    if (id === 'ERR') throw new SourceError('RepositoryUnavailable', `the server refused: ${line.slice(4, 200)}`);
    const peeled = attributes.find((attribute) => attribute.startsWith('peeled:'));
    this.#ref(name, id, peeled?.slice('peeled:'.length));
  }
}

/** Passes refs on to a scan until there are too many. */
class RefCounter {
  readonly #scan: RefReceiver;
  readonly #address: string;
  #refs = 0;
  #bytes = 0;

  constructor(scan: RefReceiver, address: string) {
    this.#scan = scan;
    this.#address = address;
  }

  add(name: string, id: string, peeled?: string): void {
    this.#refs += 1;
    if (this.#refs > limits.gitRefs) throw this.#tooMany('gitRefs', `${formatLimit(limitTable.gitRefs)} refs`);
    this.#scan.ref(name, id, peeled);
  }

  received(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > limits.gitRefsBytes)
      throw this.#tooMany('gitRefsBytes', `${formatLimit(limitTable.gitRefsBytes)} of refs`);
  }

  #tooMany(limit: string, amount: string): SourceError {
    return new SourceError(
      'TooLarge',
      `${this.#address}: the server sends more than ${amount} (limit ${limit}): delete refs that nobody needs, or use a commit as targetRevision`,
    );
  }
}

/** Pieces of the output, with a turn for everybody else in between. */
async function* inSteps(output: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let since = performance.now();
  for await (const chunk of output) {
    for (let at = 0; at < chunk.length; at += stepBytes) {
      yield chunk.subarray(at, at + stepBytes);
      if (performance.now() - since < stepMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    }
  }
}
