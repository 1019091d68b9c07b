"""A client: what it has, and what it does with it in a round. Only sums over its samples go out, and
those and their number only as shares."""

import model


class Client:
    def __init__(self, images, labels):
        self.images, self.labels = images, labels
        self.x = None  # features, once there is a mean image

    @property
    def n_samples(self):
        return len(self.labels)

    def pixel_sum(self):
        return self.images.sum(axis=0)

    def take_mean_image(self, mean_image):
        self.x = model.features(self.images, mean_image)

    def gradient_sum(self, parameters):
        return model.gradient_sum(parameters, self.x, self.labels)
