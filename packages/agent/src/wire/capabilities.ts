/** The capabilities of a peer beyond argocd-agent's protocol; used only if both sides support them. */
export interface Capabilities {
  /** Message numbers, checksums that include metadata and destination, lists and acknowledgements in batches. */
  readonly fairlead: boolean;
  /** Objects as the changes since they were last sent on the stream. */
  readonly deltas: boolean;
  /** Compression of large messages. */
  readonly gzip: boolean;
}

/** Read from the build part of the version, `1.2.3+fairlead.deltas.gzip`. Unknown words are ignored. */
export function capabilitiesOf(version: string): Capabilities {
  const words = new Set((version.split('+')[1] ?? '').split('.'));
  const fairlead = words.has('fairlead');
  return { fairlead, deltas: fairlead && words.has('deltas'), gzip: fairlead && words.has('gzip') };
}

/** The capabilities that both sides have. */
export const shared = (own: Capabilities, other: Capabilities): Capabilities => ({
  fairlead: other.fairlead,
  deltas: own.deltas && other.deltas,
  gzip: own.gzip && other.gzip,
});

export const withCapabilities = (version: string): string => `${version}+fairlead.deltas.gzip`;
