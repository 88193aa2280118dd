import { type Endpoint, type EndpointGroup, portsKey, type Slice } from './slices.ts';

/** A slice with this content: a new one, or an existing one. */
export interface PlannedSlice extends EndpointGroup {
  readonly replaces?: Slice;
}

export interface SlicePlan {
  readonly write: readonly PlannedSlice[];
  readonly remove: readonly Slice[];
}

const mostEndpoints = 100;

const identity = ({ addresses, hostname, targetRef }: Endpoint): string =>
  JSON.stringify([[...addresses].sort(), hostname ?? '', targetRef?.namespace ?? '', targetRef?.name ?? '']);

const isSame = (a: Endpoint, b: Endpoint): boolean => canonical(a) === canonical(b);

const canonical = ({ nodeName, zone, conditions, targetRef, hints }: Endpoint): string =>
  JSON.stringify([
    nodeName,
    zone,
    conditions.ready,
    conditions.serving,
    conditions.terminating,
    [targetRef?.kind, targetRef?.namespace, targetRef?.name, targetRef?.uid],
    [hints?.forZones?.map(({ name }) => name), hints?.forNodes?.map(({ name }) => name)],
  ]);

/**
 * The minimal writes for the desired endpoints: endpoints stay in their slice, new ones fill slices that change anyway, then one with free
 * space, then new slices; a slice to be deleted is reused for a new one.
 */
export function planSlices(
  desired: readonly EndpointGroup[],
  existing: readonly Slice[],
  isCurrent: (slice: Slice) => boolean,
  placeholders: readonly EndpointGroup['addressType'][],
): SlicePlan {
  const write: PlannedSlice[] = [];
  const remove: Slice[] = [];
  const groupKey = (group: { addressType: string; ports: EndpointGroup['ports'] | Slice['ports'] }) =>
    `${group.addressType} ${portsKey(group.ports as Slice['ports'])}`;
  const slicesOf = Map.groupBy(existing, groupKey);
  for (const group of desired) {
    const planned = planGroup(group, slicesOf.get(groupKey(group)) ?? [], isCurrent);
    slicesOf.delete(groupKey(group));
    write.push(...planned.write);
    remove.push(...planned.remove);
  }
  for (const surplus of slicesOf.values()) remove.push(...surplus);
  for (const addressType of placeholders) keepPlaceholder(addressType, existing, isCurrent, write, remove);
  return recycled(write, remove);
}

/** A Service without endpoints has one empty slice. */
function keepPlaceholder(
  addressType: EndpointGroup['addressType'],
  existing: readonly Slice[],
  isCurrent: (slice: Slice) => boolean,
  write: PlannedSlice[],
  remove: Slice[],
): void {
  const here = <T extends { addressType: string }>(list: readonly T[]) =>
    list.filter((each) => each.addressType === addressType);
  const kept = here(existing).filter((slice) => !remove.includes(slice));
  if (kept.length > 0 || here(write).length > 0) return;
  const going = here(remove);
  const [only, ...others] = going;
  const isPlaceholder =
    only && others.length === 0 && !only.endpoints?.length && !only.ports?.length && isCurrent(only);
  if (isPlaceholder) remove.splice(remove.indexOf(only), 1);
  else write.push({ addressType, ports: [], endpoints: [] });
}

function planGroup(
  group: EndpointGroup,
  existing: readonly Slice[],
  isCurrent: (slice: Slice) => boolean,
): { write: PlannedSlice[]; remove: Slice[] } {
  const missing = new Map(group.endpoints.map((endpoint) => [identity(endpoint), endpoint]));
  const changed: { slice: Slice; endpoints: Endpoint[] }[] = [];
  const unchanged: { slice: Slice; endpoints: Endpoint[] }[] = [];
  const remove: Slice[] = [];
  for (const slice of existing) {
    let same = isCurrent(slice);
    const endpoints: Endpoint[] = [];
    for (const endpoint of slice.endpoints ?? []) {
      const now = missing.get(identity(endpoint));
      if (!now || !isSame(now, endpoint)) same = false;
      if (!now) continue;
      missing.delete(identity(endpoint));
      endpoints.push(now);
    }
    if (endpoints.length === 0 && (slice.endpoints?.length ?? 0) > 0) remove.push(slice);
    else if (same) unchanged.push({ slice, endpoints });
    else changed.push({ slice, endpoints });
  }
  const left = [...missing.values()];
  changed.sort((a, b) => b.endpoints.length - a.endpoints.length);
  for (const { endpoints } of changed) endpoints.push(...left.splice(0, mostEndpoints - endpoints.length));
  const roomy = unchanged
    .filter(({ endpoints }) => left.length > 0 && endpoints.length + left.length <= mostEndpoints)
    .sort((a, b) => b.endpoints.length - a.endpoints.length)[0];
  if (roomy) {
    roomy.endpoints.push(...left.splice(0));
    changed.push(roomy);
  }
  const write: PlannedSlice[] = changed.map(({ slice, endpoints }) => ({ ...group, endpoints, replaces: slice }));
  while (left.length > 0) write.push({ ...group, endpoints: left.splice(0, mostEndpoints) });
  return { write, remove };
}

function recycled(write: readonly PlannedSlice[], remove: readonly Slice[]): SlicePlan {
  const surplus = [...remove];
  const planned = write.map((slice) => {
    if (slice.replaces) return slice;
    const at = surplus.findIndex(({ addressType }) => addressType === slice.addressType);
    const [replaces] = at < 0 ? [] : surplus.splice(at, 1);
    return replaces ? { ...slice, replaces } : slice;
  });
  return { write: planned, remove: surplus };
}
