import { type Application, applicationKind } from '@fairlead/api';
import { find } from '@fairlead/apimachinery';
import { dependencyKeys } from '@fairlead/app-controller';
import type { ApiClient } from '@fairlead/kube';
import type { Style } from '../../terminal/style.ts';
import { stateText } from './status-text.ts';

/** The Applications that one depends on, with their states, one line each. */
export function dependencyLines(
  client: Pick<ApiClient, 'get'>,
  application: Application,
  style: Style,
): Promise<string[]> {
  return Promise.all(
    dependencyKeys(application).map(async (key) => {
      const [namespace = '', name = ''] = key.split('/');
      const other = await find(client.get<Application>(applicationKind.type, { namespace, name }));
      const states = other
        ? [other.status?.sync?.status, other.status?.health?.status].map((state) =>
            stateText(state ?? 'Unknown', style),
          )
        : [style.wary('does not exist')];
      return [`depends on ${key}`, ...states].join('  ');
    }),
  );
}
