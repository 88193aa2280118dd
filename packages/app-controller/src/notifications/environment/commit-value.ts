import { GoObject, GoSlice, stringSlice, structType } from '@fairlead/render/go-template';
import { parseTime, timeValue } from '@fairlead/render/sprig';

export interface CommitMetadata {
  readonly message: string;
  readonly author: string;
  /** RFC 3339. */
  readonly date: string;
  readonly tags: readonly string[];
}

const commitType = structType('shared.CommitMetadata');

/** What `repo.GetCommitMetadata` returns. */
export const commitValue = ({ message, author, date, tags }: CommitMetadata): GoObject =>
  new GoObject(commitType, {
    fields: [
      ['Message', message],
      ['Author', author],
      ['Date', timeValue(parseTime('2006-01-02T15:04:05Z07:00', date))],
      ['Tags', new GoSlice([...tags], stringSlice)],
    ],
  });
