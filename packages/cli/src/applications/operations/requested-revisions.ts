import type { Application } from '@fairlead/api';
import { CliError } from '../../cli-error.ts';
import { nameOf } from '../selection/find-application.ts';
import { sourcesOf } from '../tables/status-text.ts';

/** The revisions of --revision or --revisions, one per source. */
export function revisionsAsked(
  application: Application,
  { revision, revisions }: { readonly revision?: string; readonly revisions?: readonly string[] },
): readonly string[] | undefined {
  const count = sourcesOf(application).length;
  const asked = revisions ?? (revision === undefined ? undefined : [revision]);
  if (asked && asked.length !== count)
    throw new CliError(`${nameOf(application)} has ${count} sources: give --revisions once per source, in their order`);
  return asked;
}
