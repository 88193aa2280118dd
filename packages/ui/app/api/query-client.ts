import { ApiProblem } from '@fairlead/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { reportProblem } from './client.ts';

const isTemporary = (error: unknown): boolean => !(error instanceof ApiProblem) || error.status >= 502;

/** What is shown is what the server said: there are no optimistic changes. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: reportProblem }),
  mutationCache: new MutationCache({ onError: reportProblem }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => isTemporary(error) && failures < 2,
      refetchOnWindowFocus: true,
    },
  },
});
