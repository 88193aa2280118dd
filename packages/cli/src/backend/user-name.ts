import { userInfo } from 'node:os';

/** The user of this machine. */
export const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
};
