import { at } from '@fairlead/apimachinery';
import type { Change } from '../action.ts';
import { withValue } from '../change.ts';

/** `spec.suspend`, which Jobs, Flux and MariaDB have in common. */
export const suspended: Change = (object) => withValue(object, ['spec', 'suspend'], true);

/** An object that was never suspended is left as it is. */
export const resumed: Change = (object) =>
  at(object, 'spec', 'suspend') === true ? withValue(object, ['spec', 'suspend'], false) : object;
