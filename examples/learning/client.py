"""A client: its data, and its computation in a round. It sends only sums over its samples, and the
number of samples, and both only as shares."""

import model


class Client:
    def __init__(self, images, labels):
        self.images, self.labels = images, labels
        self.x = None  # features; None until the mean image is known

    @property
    def n_samples(self):
        return len(self.labels)

    def pixel_sum(self):
        return self.images.sum(axis=0)

    def take_mean_image(self, mean_image):
        self.x = model.features(self.images, mean_image)

    def gradient_sum(self, parameters):
        return model.gradient_sum(parameters, self.x, self.labels)
