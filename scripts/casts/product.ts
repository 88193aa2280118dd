import { type Assertions, countAssertions } from './count.ts';

/** Limits for product code. Lower them when the counts go down; prove a type instead of raising them. */
export const limits: Assertions = { casts: 400, throughUnknown: 45, nonNull: 320 };

const isProduct = (file: string): boolean =>
  /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/(?:test|e2e|bench|conformance)\//.test(file);

export const sum = (counts: readonly Assertions[]): Assertions => ({
  casts: counts.reduce((total, { casts }) => total + casts, 0),
  throughUnknown: counts.reduce((total, { throughUnknown }) => total + throughUnknown, 0),
  nonNull: counts.reduce((total, { nonNull }) => total + nonNull, 0),
});

export const measured = (files: readonly string[], read: (file: string) => string): Assertions =>
  sum(files.filter(isProduct).map((file) => countAssertions(read(file))));
