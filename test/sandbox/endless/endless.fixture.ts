it('goes on until its run is ended', () => new Promise(() => undefined));
