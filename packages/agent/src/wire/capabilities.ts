/** The capabilities of a peer beyond argocd-agent's protocol; used only if both sides support them. */
export interface Capabilities {
  /** Message numbers, checksums that include metadata and destination, lists and acknowledgements in batches. */
  readonly fairlead: boolean;
  /** Objects as the changes since they were last sent on the stream. */
  readonly deltas: boolean;
  /** Compression of large messages. */
  readonly gzip: boolean;
  /** Tunnels for live access. */
  readonly tunnels: boolean;
  /** The ConfigMap of GPG keys as a kind of mirrored object, which argocd-agent supports too. */
  readonly gpgKeys: boolean;
}

/** Read from the build part of the version, `1.2.3+fairlead.deltas.gzip.tunnels.gpgkeys`. Unknown words are ignored. */
export function capabilitiesOf(version: string): Capabilities {
  const words = new Set((version.split('+')[1] ?? '').split('.'));
  const fairlead = words.has('fairlead');
  const has = (word: string): boolean => fairlead && words.has(word);
  return {
    fairlead,
    deltas: has('deltas'),
    gzip: has('gzip'),
    tunnels: has('tunnels'),
    gpgKeys: !fairlead || has('gpgkeys'),
  };
}

/** The capabilities that both sides have. */
export const shared = (own: Capabilities, other: Capabilities): Capabilities => ({
  fairlead: other.fairlead,
  deltas: own.deltas && other.deltas,
  gzip: own.gzip && other.gzip,
  tunnels: own.tunnels && other.tunnels,
  gpgKeys: own.gpgKeys && other.gpgKeys,
});

export const withCapabilities = (version: string): string => `${version}+fairlead.deltas.gzip.tunnels.gpgkeys`;
