/** A tag of an image, and what is known of what it points at. */
export interface Tag {
  readonly name: string;
  /** When the image was built, in seconds since 1970. */
  readonly created?: number | undefined;
  /** The digest of the manifest or index, where it was asked for. */
  readonly digest?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** Tags by name; one that comes again replaces the one before. */
export const tagsByName = (tags: Iterable<Tag>): ReadonlyMap<string, Tag> =>
  new Map(Array.from(tags, (tag) => [tag.name, tag]));
