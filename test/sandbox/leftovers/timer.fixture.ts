it('leaves a timer', () => {
  setInterval(() => undefined, 1000);
});
