import { writeYaml } from '../../go-yaml/write-yaml.ts';
import { clearField, field, setField } from '../node/fields.ts';
import { lookupCreate, mapAt } from '../node/lookup.ts';
import { isEmpty, type Node, scalar, text } from '../node/node.ts';
import { objectValue } from '../node/node-value.ts';
import { sortedEntries } from '../sorted-entries.ts';
import * as build from './annotations.ts';
import { effectiveNamespace, makeId, parseApiVersion, type ResId } from './res-id.ts';

export type StringMap = Map<string, string>;

/** An object of a build, with the build's annotations. `node` is undefined after a patch has deleted the object. */
export class Resource {
  node: Node | undefined;
  /** The vars that take their value from this object. */
  refVarNames: string[] = [];

  constructor(node: Node) {
    this.node = node;
  }

  copy(): Resource {
    const copy = new Resource(this.root.copy());
    copy.refVarNames = [...this.refVarNames];
    return copy;
  }

  get root(): Node {
    if (!this.node) throw new Error('the object has been deleted');
    return this.node;
  }

  get isGone(): boolean {
    return isEmpty(this.node);
  }

  get apiVersion(): string {
    return field(this.node, 'apiVersion')?.value ?? '';
  }

  get kind(): string {
    return field(this.node, 'kind')?.value ?? '';
  }

  set kind(kind: string) {
    setField(this.root, 'kind', scalar(kind));
  }

  set apiVersion(apiVersion: string) {
    setField(this.root, 'apiVersion', scalar(apiVersion));
  }

  get name(): string {
    return this.metaText('name');
  }

  set name(name: string) {
    setField(mapAt(this.root, 'metadata'), 'name', scalar(name));
  }

  get namespace(): string {
    return this.metaText('namespace');
  }

  /** An empty namespace removes the field. */
  set namespace(namespace: string) {
    const metadata = field(this.root, 'metadata');
    if (namespace !== '') setField(mapAt(this.root, 'metadata'), 'namespace', scalar(namespace));
    else if (metadata) clearField(metadata, 'namespace');
  }

  private metaText(name: string): string {
    const value = field(this.metadata, name);
    return value && !isEmpty(value) ? value.value : '';
  }

  private get metadata(): Node | undefined {
    const metadata = field(this.node, 'metadata');
    return isEmpty(metadata) ? undefined : metadata;
  }

  private metaMap(name: string): StringMap {
    const map: StringMap = new Map();
    for (const { key, value } of field(this.metadata, name)?.entries ?? []) map.set(key.value, value.value);
    return map;
  }

  private setMetaMap(name: string, map: StringMap): void {
    const metadata = mapAt(this.root, 'metadata');
    clearField(metadata, name);
    const node = map.size === 0 ? undefined : lookupCreate(metadata, [name], 'map');
    if (node) for (const [key, value] of sortedEntries(map)) setField(node, key, text(value));
  }

  get labels(): StringMap {
    return this.metaMap('labels');
  }

  set labels(labels: StringMap) {
    this.setMetaMap('labels', labels);
  }

  get annotations(): StringMap {
    return this.metaMap('annotations');
  }

  set annotations(annotations: StringMap) {
    this.setMetaMap('annotations', annotations);
  }

  annotation(key: string): string | undefined {
    return field(field(this.metadata, 'annotations'), key)?.value;
  }

  /** Sets one annotation and leaves the others unchanged. */
  annotate(key: string, value: string): void {
    const { metadata } = this;
    if (metadata && isEmpty(field(metadata, 'annotations'))) clearField(metadata, 'annotations');
    setField(mapAt(this.root, 'metadata', 'annotations'), key, text(value));
  }

  private csv(key: string): string[] {
    return this.annotation(key)?.split(',') ?? [];
  }

  private appendCsv(key: string, value: string): void {
    if (value !== '') this.annotate(key, [...this.csv(key), value].join(','));
  }

  enable(key: string): void {
    const { annotations } = this;
    this.annotations = annotations.set(key, build.enabled);
  }

  isEnabled(key: string): boolean {
    return this.annotation(key) === build.enabled;
  }

  get id(): ResId {
    return makeId(this.apiVersion, this.kind, this.name, this.namespace);
  }

  /** The previous ids, the oldest first. */
  get previousIds(): ResId[] {
    const names = this.annotation(build.previousNames)?.split(',');
    if (!names) return [];
    const namespaces = this.csv(build.previousNamespaces);
    const kinds = this.csv(build.previousKinds);
    const gv = parseApiVersion(this.apiVersion);
    return names.map((name, i) => ({
      ...gv,
      kind: kinds[i] ?? '',
      name,
      namespace: namespaces[i] ?? '',
      clusterScoped: false,
    }));
  }

  get allIds(): ResId[] {
    return [...this.previousIds, this.id];
  }

  get originalId(): ResId {
    return this.previousIds[0] ?? this.id;
  }

  storePreviousId(): void {
    const { id } = this;
    this.appendCsv(build.previousNames, id.name);
    this.appendCsv(build.previousNamespaces, effectiveNamespace(id));
    this.appendCsv(build.previousKinds, id.kind);
  }

  get prefixes(): string[] {
    return this.csv(build.prefixes);
  }

  get suffixes(): string[] {
    return this.csv(build.suffixes);
  }

  addPrefix(prefix: string): void {
    this.appendCsv(build.prefixes, prefix);
  }

  addSuffix(suffix: string): void {
    this.appendCsv(build.suffixes, suffix);
  }

  get value(): Record<string, unknown> {
    return this.node ? objectValue(this.node) : {};
  }

  get yaml(): string {
    return writeYaml(this.value);
  }
}
