/**
 * Rendezvous hashing: the member with the highest weight for the key. If a member leaves, only its own keys move; if one joins, it takes an even
 * share from each of the others.
 */
export function rendezvous(key: string, members: readonly string[]): string | undefined {
  const hash = fnv1a(key);
  let best: string | undefined;
  let highest = -1;
  for (const member of members) {
    const weight = mix(hash ^ fnv1a(member));
    if (weight > highest) [best, highest] = [member, weight];
  }
  return best;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** The finalizer of MurmurHash3: every bit of the input changes half of the bits of the output. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
