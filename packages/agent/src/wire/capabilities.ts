/** What the peer knows that argocd-agent does not; each is used only where both sides have it. */
export interface Capabilities {
  /** Numbers, states that cover metadata and destination, lists and answers in parts. */
  readonly fairlead: boolean;
  /** Objects as what has changed since they last went over the stream. */
  readonly deltas: boolean;
  /** Large messages compressed. */
  readonly gzip: boolean;
}

/** Told in the build part of the version, `1.2.3+fairlead.deltas.gzip`: whoever does not know a word ignores it. */
export function capabilitiesOf(version: string): Capabilities {
  const words = new Set((version.split('+')[1] ?? '').split('.'));
  const fairlead = words.has('fairlead');
  return { fairlead, deltas: fairlead && words.has('deltas'), gzip: fairlead && words.has('gzip') };
}

/** What both sides know. */
export const shared = (own: Capabilities, other: Capabilities): Capabilities => ({
  fairlead: other.fairlead,
  deltas: own.deltas && other.deltas,
  gzip: own.gzip && other.gzip,
});

export const withCapabilities = (version: string): string => `${version}+fairlead.deltas.gzip`;
