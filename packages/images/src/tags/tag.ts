/** A tag of an image, with its known metadata. */
export interface Tag {
  readonly name: string;
  /** When the image was built, in seconds since 1970. */
  readonly created?: number | undefined;
  /** The digest of the manifest or index, if it was requested. */
  readonly digest?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}
