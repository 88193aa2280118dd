import { apiError } from '@fairlead/apimachinery';
import type { Simulation } from './simulation.ts';

export const storeUnavailable = () => apiError(500, 'InternalError', 'the store is unavailable');

export function throttled(sim: Simulation): Error {
  const retryAfterSeconds = sim.between(0, 3);
  return apiError(429, 'TooManyRequests', 'too many requests, please try again later', { retryAfterSeconds });
}
