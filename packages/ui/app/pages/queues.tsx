export const QueuesPage = () => null;
