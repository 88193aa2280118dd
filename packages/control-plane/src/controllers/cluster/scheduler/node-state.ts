import type { Node } from '../objects.ts';
import { type Amounts, amountsOf, podsAllowed } from './amounts.ts';
import type { ScheduledPod } from './cluster-state.ts';
import { TakenPorts } from './host-ports.ts';

const nothing = amountsOf(undefined);

/** A node with the total usage of its pods. */
export class NodeState {
  readonly name: string;
  readonly pods = new Map<string, ScheduledPod>();
  readonly ports = new TakenPorts();
  readonly others = new Map<string, number>();
  allocatable: Amounts = nothing;
  podsAllowed = 0;
  cpu = 0;
  memory = 0;
  storage = 0;
  /** For scoring: as above, with an assumed usage for pods without requests. */
  weight = { cpu: 0, memory: 0 };
  /** Its index in the list of nodes. */
  at = -1;
  #node: Node | undefined;
  #images: ReadonlyMap<string, number> = new Map();

  constructor(name: string) {
    this.name = name;
  }

  get exists(): boolean {
    return this.#node !== undefined;
  }

  get node(): Node {
    if (!this.#node) throw new Error(`node ${this.name} does not exist`);
    return this.#node;
  }

  set(node: Node): void {
    this.#node = node;
    this.allocatable = amountsOf(node.status?.allocatable);
    this.podsAllowed = podsAllowed(node.status?.allocatable);
    this.#images = new Map(
      (node.status?.images ?? []).flatMap(({ names = [], sizeBytes = 0 }) => names.map((name) => [name, sizeBytes])),
    );
  }

  /** Every name of the images on the node. */
  imageNames(): Iterable<string> {
    return this.#images.keys();
  }

  /** In bytes; 0 if the node does not have it. */
  imageSize(name: string): number {
    return this.#images.get(name) ?? 0;
  }

  unset(): void {
    this.#node = undefined;
    this.#images = new Map();
    this.at = -1;
  }

  add(placed: ScheduledPod): void {
    this.pods.set(placed.key, placed);
    this.ports.add(placed.ports);
    this.#change(placed, 1);
  }

  remove(placed: ScheduledPod): void {
    this.pods.delete(placed.key);
    this.ports.remove(placed.ports);
    this.#change(placed, -1);
  }

  #change({ requests, weight }: ScheduledPod, by: 1 | -1): void {
    this.cpu += by * requests.cpu;
    this.memory += by * requests.memory;
    this.storage += by * requests.storage;
    this.weight.cpu += by * weight.cpu;
    this.weight.memory += by * weight.memory;
    for (const [name, amount] of requests.others) this.others.set(name, (this.others.get(name) ?? 0) + by * amount);
  }
}
